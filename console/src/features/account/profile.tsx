/** One's own name, phone, mailboxes and what they get; a test mail says whether mails arrive. */

import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { rename } from '@/shared/session/session'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { MailFlags, mailsOf } from '@/widgets/person/mail-flags'
import { type Faults, faultsOf, type UserRow } from '@/widgets/person/person'
import { PersonFields } from '@/widgets/person/person-fields'

const FORM = 'own-profile'

export function Profile({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const me = useCall('/user/me', {}, { staleTime: 0 })
  const [busy, setBusy] = useState(false)
  return (
    <Modal
      open
      title={t('edit-profile')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ htmlType: 'submit', form: FORM, loading: busy, disabled: !me.data }}
      onCancel={onClose}
    >
      <QueryView query={me}>{(row) => <Form row={row} onBusy={setBusy} onClose={onClose} />}</QueryView>
    </Modal>
  )
}

interface Props {
  row: UserRow
  onBusy(busy: boolean): void
  onClose(): void
}

function Form({ row, onBusy, onClose }: Props) {
  const { t } = useTranslation('people')
  const [person, setPerson] = useState({ name: row.name, phone: row.phone, email: row.email })
  const [mails, setMails] = useState(mailsOf(row))
  const [faults, setFaults] = useState<Faults>({})
  const action = useAction('/user/updateUserInfo', t('save'))
  const trimmed = { name: person.name.trim(), phone: person.phone.trim(), email: person.email.trim() }
  const change = (next: typeof person) => {
    setPerson(next)
    if (Object.keys(faults).length > 0) setFaults(faultsOf(next))
  }
  const send = async () => {
    const nextFaults = faultsOf(person)
    setFaults(nextFaults)
    if (Object.keys(nextFaults).length > 0) return
    onBusy(true)
    await action.run({ ...trimmed, ...mails }, () => {
      rename({ name: trimmed.name })
      onClose()
    })
    onBusy(false)
  }
  return (
    <form
      id={FORM}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <PersonFields value={person} onChange={change} faults={faults} />
      <TestMail email={trimmed.email} />
      <MailFlags value={mails} onChange={setMails} />
      <Problem text={action.problem} />
    </form>
  )
}

/** To what stands in the field, saved or not. */
function TestMail({ email }: { email: string }) {
  const { t } = useTranslation('people')
  const action = useAction('/user/testMail', t('test-mail'))
  const sendable = email !== '' && !faultsOf({ email }).email
  const send = () => action.run({ email }, (sent) => notice('success', t('test-mail-sent', { email: sent.email })))
  return (
    <>
      <Button size="small" disabled={!sendable} loading={action.busy} onClick={send}>
        {t('test-mail')}
      </Button>
      <Problem text={action.problem} />
    </>
  )
}

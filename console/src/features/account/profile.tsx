/** One's own name, phone, mailboxes and what they get; a test mail says whether mails arrive. */
import { Button } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { rename } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { limitsOf, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { useAction } from '@/widgets/form/use-action'
import { MAIL_FIELD, PERSON, personOf, withPhone } from '@/widgets/person/fields'
import { flagsOf, MailFlags, mailsOf } from '@/widgets/person/mail-flags'
import { usePasswordAgain } from '@/widgets/person/own-password'
import { ruleOf, type UserRow } from '@/widgets/person/person'

const UPDATE = '/user/updateUserInfo'
const FIELDS = [...PERSON, MAIL_FIELD] as const
const NAMES = [...PERSON.map(({ name }) => name), 'password']

export function Profile({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const me = useCall('/user/me', {}, { staleTime: 0 })
  if (me.data) return <ProfileForm row={me.data} onClose={onClose} />
  return (
    <Modal open title={t('edit-profile')} footer={null} onCancel={onClose}>
      <QueryView query={me}>{() => null}</QueryView>
    </Modal>
  )
}

function ProfileForm({ row, onClose }: { row: UserRow; onClose(): void }) {
  const { t } = useTranslation('people')
  const action = useAction(UPDATE, t('save'), NAMES)
  const again = usePasswordAgain(action)
  const { name, phone, email } = row
  const start: Values = { name, phone, email, mails: mailsOf(row) }
  const send = (values: Values) => {
    const person = personOf(values)
    void action.run({ ...person, ...flagsOf(values.mails), ...again.payload }, () => {
      rename({ name: person.name })
      onClose()
    })
  }
  return (
    <FormDialog
      texts="people"
      title={t('edit-profile')}
      fields={FIELDS}
      limits={withPhone(limitsOf(UPDATE))}
      options={{}}
      controls={{ mails: (value, change) => <MailFlags value={value} onChange={change} /> }}
      row={{ ...start, updateTime: '' }}
      start={start}
      draft={`${UPDATE} own`}
      action={action}
      foot={(values) => (
        <>
          <TestMail email={personOf(values).email} />
          {again.field}
        </>
      )}
      onSend={send}
      onClose={onClose}
    />
  )
}

/** To what stands in the field, saved or not. */
function TestMail({ email }: { email: string }) {
  const { t } = useTranslation('people')
  const action = useAction('/user/testMail', t('test-mail'))
  const sendable = email !== '' && !ruleOf('email')(email, {})
  const send = () => action.run({ email }, (sent) => notice('success', t('test-mail-sent', { email: sent.email })))
  return (
    <Row stack align="start" above="m">
      <Button size="small" disabled={!sendable} loading={action.busy} onClick={send}>
        {t('test-mail')}
      </Button>
      <Problem text={action.problem} />
    </Row>
  )
}

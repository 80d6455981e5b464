/** Name, phone, mailboxes and what they get; and the account that this one stands below, where there is a choice. */

import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useSession } from '@/shared/session/session'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { MailFlags, mailsOf } from '@/widgets/person/mail-flags'
import { type Faults, faultsOf, type UserRow } from '@/widgets/person/person'
import { PersonFields } from '@/widgets/person/person-fields'
import { ParentPicker } from './parent-picker'

export function EditDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const level = useSession()?.levelDepth ?? 5
  const [person, setPerson] = useState({ name: row.name, phone: row.phone, email: row.email })
  const [mails, setMails] = useState(mailsOf(row))
  const [parent, setParent] = useState(row.parentUser)
  const [faults, setFaults] = useState<Faults>({})
  const action = useAction('/user/updateUserInfo', t('save'), ['parentId'])
  const change = (next: typeof person) => {
    setPerson(next)
    if (Object.keys(faults).length > 0) setFaults(faultsOf(next))
  }
  const send = () => {
    const nextFaults = faultsOf(person)
    setFaults(nextFaults)
    if (Object.keys(nextFaults).length > 0) return
    action.run(
      {
        targetUserId: row.userId,
        ...{ name: person.name.trim(), phone: person.phone.trim(), email: person.email.trim() },
        ...mails,
        ...(parent !== row.parentUser && { parentId: parent }),
      },
      onClose,
    )
  }
  // Only accounts of the level above can take it, and of one's own level there is nobody but oneself.
  const movable = row.shadowId === null && row.levelDepth - 1 > level
  return (
    <Modal
      open
      title={t('edit-named', { name: row.name })}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <PersonFields value={person} onChange={change} faults={faults} />
      <MailFlags value={mails} onChange={setMails} />
      {movable && (
        <Field label={t('parent-user')} hint={t('move-how')} fault={action.problemAt('parentId')}>
          <ParentPicker level={row.levelDepth - 1} value={parent} name={row.parentName} onChange={setParent} />
        </Field>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}

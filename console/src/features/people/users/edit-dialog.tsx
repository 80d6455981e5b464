/** Name, phone, mailboxes and what they get; and the account that this one stands below, where there is a choice. */
import { useTranslation } from '@/shared/i18n/text'
import { useSession } from '@/shared/session/session'
import { limitsOf, type Value, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { useAction } from '@/widgets/form/use-action'
import { MAIL_FIELD, PERSON, personOf, withPhone } from '@/widgets/person/fields'
import { flagsOf, MailFlags, mailsOf } from '@/widgets/person/mail-flags'
import type { UserRow } from '@/widgets/person/person'
import { ParentPicker } from './parent-picker'

const UPDATE = '/user/updateUserInfo'
const PARENT = { name: 'parentId', label: 'common:parent-user', hint: 'people:move-how', wide: true } as const
const NAMES = [...PERSON, PARENT].map(({ name }) => name)

export function EditDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const level = useSession()?.levelDepth ?? 5
  const action = useAction(UPDATE, t('save'), NAMES)
  // Only accounts of the level above can take it, and of one's own level there is nobody but oneself.
  const movable = row.shadowId === null && row.levelDepth - 1 > level
  const { name, phone, email, parentUser } = row
  const start: Values = { name, phone, email, mails: mailsOf(row), parentId: parentUser }
  const send = (values: Values) => {
    const moved = values.parentId !== parentUser && { parentId: Number(values.parentId) }
    void action.run({ targetUserId: row.userId, ...personOf(values), ...flagsOf(values.mails), ...moved }, onClose)
  }
  return (
    <FormDialog
      texts="people"
      title={t('edit-named', { name })}
      fields={[...PERSON, MAIL_FIELD, ...(movable ? [PARENT] : [])]}
      limits={withPhone(limitsOf(UPDATE))}
      options={{}}
      controls={{
        mails: (value, change) => <MailFlags value={value} onChange={change} />,
        parentId: (value: Value, change) => (
          <ParentPicker
            level={row.levelDepth - 1}
            value={value === null ? null : Number(value)}
            name={row.parentName}
            onChange={change}
          />
        ),
      }}
      row={{ ...start, updateTime: '' }}
      start={start}
      draft={`${UPDATE} ${row.userId}`}
      action={action}
      onSend={send}
      onClose={onClose}
    />
  )
}

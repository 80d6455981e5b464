/** Deletes an account after its login name has been typed; a refusal (accounts stand below it) is said here. */
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { notice } from '@/shared/ui/notice'
import { DeleteDialog as Asking } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import type { UserRow } from '@/widgets/person/person'

export function DeleteDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const action = useAction('/user/deleteUserInfo', t('delete'))
  const done = () => {
    notice('success', t('deleted', { name: row.name }))
    onClose()
  }
  return (
    <Asking
      name={row.name}
      action={action}
      typed={{ label: t('type-login-name', { account: row.account }), word: row.account }}
      onDelete={() => action.run({ targetUserId: row.userId }, done)}
      onClose={onClose}
    >
      <Text tone="quiet" below="m">
        {t('delete-how')}
      </Text>
    </Asking>
  )
}

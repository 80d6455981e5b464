/** Ends every session of an account; of one's own all but this one. */

import { useTranslation } from '@/shared/i18n/text'
import { useSession } from '@/shared/session/session'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Problem } from '../form/field'
import { useAction } from '../form/use-action'
import { usePasswordAgain } from './own-password'
import type { UserRow } from './person'

interface Props {
  /** Null: one's own. */
  row: Pick<UserRow, 'userId' | 'name'> | null
  onClose(): void
}

export function EndDialog({ row, onClose }: Props) {
  const { t } = useTranslation('people')
  const session = useSession()
  const action = useAction('/user/cleanToken', t('clear-token'), ['password'])
  const again = usePasswordAgain(action, () => void send())
  const send = () =>
    action.run(row ? { targetUserId: row.userId } : again.payload, ({ sessions }) => {
      notice('success', t('ended-sessions', { count: sessions }))
      onClose()
    })
  const name = row?.name ?? (session?.name || session?.account)
  return (
    <Modal
      open
      title={t('end-sessions-of', { name })}
      okText={t('clear-token')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: action.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t(row ? 'end-sessions-how' : 'end-own-how')}
      </Text>
      {again.field}
      <Problem text={action.problem} />
    </Modal>
  )
}

/** Cuts an account's connection for single sign-on, after a word about what that ends. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { UserRow } from '@/widgets/person/person'

export function CutDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const { dateTime } = useFormats()
  const action = useAction('/sso/disconnect', t('sso-disconnect'))
  return (
    <Modal
      open
      title={t('sso-of', { name: row.name })}
      okText={t('sso-disconnect')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: action.busy }}
      onOk={() => action.run({ targetUserId: row.userId }, onClose)}
      onCancel={onClose}
    >
      {row.ssoTime && (
        <p>
          {t('sso-since')}: {dateTime(Date.parse(row.ssoTime))}
        </p>
      )}
      <Text tone="quiet" below="m">
        {t('sso-cut-how')}
      </Text>
      <Problem text={action.problem} />
    </Modal>
  )
}

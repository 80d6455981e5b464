/** Asks before alarms are resolved by hand: one, or all of a robot that are open. */
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { AlarmRow } from './rows'

interface Props {
  row: AlarmRow
  /** All open alarms of its robot. */
  all: boolean
  onClose(): void
}

export function ResolveDialog({ row, all, onClose }: Props) {
  const { t } = useTranslation('alarm')
  const action = useAction('/warn/resumeWarn', t('common:resolve-alarm'))
  const names = { name: row.deviceCode, alarm: row.content }
  const { deviceSerialNumber, warnId } = row
  return (
    <Modal
      open
      title={t(all ? 'resolve-all-of' : 'resolve-one-of', names)}
      okText={t('common:resolve-alarm')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={() => action.run({ deviceSerialNumber, ...(!all && { warnId }) }, onClose)}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('resolve-how')}
      </Text>
      <Problem text={action.problem} />
    </Modal>
  )
}

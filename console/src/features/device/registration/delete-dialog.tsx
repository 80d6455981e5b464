/** A robot leaves the installation; its serial number is typed, so that no other goes by mistake. */
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { notice } from '@/shared/ui/notice'
import { DeleteDialog as Asking } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import type { DialogProps } from '../dialog-props'

export function DeleteDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  const action = useAction('/device/deleteDevice', t('delete'))
  const done = () => {
    notice('success', t('deleted-robot', { name: row.deviceCode }))
    onClose()
  }
  return (
    <Asking
      name={row.deviceCode}
      action={action}
      typed={{ label: t('type-serial', { serial: row.deviceSerialNumber }), word: row.deviceSerialNumber }}
      onDelete={() => action.run({ deviceId: row.deviceId }, done)}
      onClose={onClose}
    >
      <Text tone="quiet" below="m">
        {t('delete-robot-how')}
      </Text>
    </Asking>
  )
}

/** Has a robot change to one of its maps, which ends all its tasks. */

import { useTranslation } from '@/shared/i18n/text'
import { useRobotPart } from '@/shared/live/live'
import { relayCall } from '@/shared/relay/relay'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Problem, Warning } from '@/widgets/form/field'
import { controlled } from '@/widgets/robot/controlled'
import type { MapRow } from '../row'
import { useRobotAction } from './use-robot-action'

export function LoadDialog({ map, onClose }: { map: MapRow; onClose(): void }) {
  const { t } = useTranslation('map')
  const action = useRobotAction()
  const { name, deviceId, deviceCode } = map
  const ends = useRobotPart(deviceId ?? undefined, ({ run }) => run) ?? null // another run is not ended
  const load = () => {
    if (deviceId === null) return
    void action.run(
      () => controlled(deviceId, () => relayCall(deviceId, 'map_load', { name, ends })),
      () => {
        notice('success', t('loaded-on', { name, robot: deviceCode }))
        onClose()
      },
    )
  }
  return (
    <Modal
      open
      title={t('load-named', { name })}
      okText={t('switch-map')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={load}
      onCancel={onClose}
    >
      <Warning>{t('map-change-ends-tasks')}</Warning>
      <Text size="small" tone="soft">
        {t('control-for-this', { robot: deviceCode })}
      </Text>
      <Problem text={action.problem} />
    </Modal>
  )
}

/** A map goes: from the library, at its robot, or only as the copy that the server keeps of a robot's map. */

import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { get } from '@/shared/rpc/call'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { controlled } from '@/widgets/robot/controlled'
import type { MapRow } from '../row'
import { useRobotAction } from './use-robot-action'

interface Props {
  map: MapRow
  onClose(): void
}

export const DeleteMap = ({ map, onClose }: Props) =>
  map.deviceId === null ? (
    <FromLibrary map={map} onClose={onClose} />
  ) : (
    <AtRobot map={map} deviceId={map.deviceId} onClose={onClose} />
  )

function FromLibrary({ map, onClose }: Props) {
  const { t } = useTranslation('map')
  const action = useAction('/map/deleteMapById', t('delete'))
  return (
    <DeleteDialog
      name={map.name}
      action={action}
      onDelete={() => action.run({ mapId: map.mapId }, onClose)}
      onClose={onClose}
    />
  )
}

/** Its name is typed first: the robot's tasks on it go as well, and nothing brings them back. */
function AtRobot({ map, deviceId, onClose }: Props & { deviceId: number }) {
  const { t } = useTranslation('map')
  const action = useRobotAction()
  const remove = () => controlled(deviceId, () => relayCall(deviceId, 'map_del', { map_name: map.name }))
  return (
    <DeleteDialog
      name={map.name}
      action={action}
      typed={{ label: t('retype-name', { name: map.name }), word: map.name }}
      onDelete={() => void action.run(remove, onClose)}
      onClose={onClose}
    >
      <Text size="small" tone="soft">
        {t('delete-robot-how', { robot: map.deviceCode })} {t('control-for-this', { robot: map.deviceCode })}
      </Text>
    </DeleteDialog>
  )
}

export function ForgetMap({ map, onClose }: Props) {
  const { t } = useTranslation('map')
  const action = useRobotAction()
  const forget = () => get('/map/deleteMap2/{a}/{b}', { a: map.deviceSerialNumber ?? '', b: map.name, force: '1' })
  return (
    <Modal
      open
      title={t('forget-named', { name: map.name, robot: map.deviceCode })}
      okText={t('forget')}
      cancelText={t('cancel')}
      okButtonProps={{ danger: true, loading: action.busy }}
      onOk={() => void action.run(forget, onClose)}
      onCancel={onClose}
    >
      <Text size="small" tone="soft">
        {t('forget-how')}
      </Text>
      <Problem text={action.problem} />
    </Modal>
  )
}

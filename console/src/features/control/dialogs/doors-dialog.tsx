/** Doors of the loaded map that open by access control, each to be seen on the map. */

import { IconDoor, IconDoorEnter } from '@tabler/icons-react'
import { Button } from 'antd'
import type { Point } from '@/canvas/geometry/geometry'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { useScope } from '../scope'
import styles from './dialogs.module.css'

const AGAIN_MS = 3_000 // a door is open for some seconds

interface Props {
  mapName: string
  onShow(at: Point): void
  onClose(): void
}

export function DoorsDialog({ mapName, onShow, onClose }: Props) {
  const { t } = useTranslation('control')
  const { deviceId } = useScope()
  const doors = useRobotAnswer(deviceId, {
    key: ['door_access_control_list', mapName],
    read: async (signal) => (await relayCall(deviceId, 'door_access_control_list', { map_name: mapName }, signal)).list,
    everyMs: AGAIN_MS,
  })
  return (
    <Modal open title={t('door-access')} footer={null} onCancel={onClose}>
      <QueryView query={doors} isEmpty={(list) => list.length === 0} empty={<Nothing why={t('no-doors')} />}>
        {(list) => (
          <Row as="ul" stack rule="between" className={styles.doors}>
            {list.map((door) => (
              <li key={door.name}>
                <bdi>{door.name}</bdi>
                <Standing open={door.state === 'open'} />
                <Button
                  size="small"
                  onClick={() => {
                    onShow(door)
                    onClose()
                  }}
                >
                  {t('show-on-map')}
                </Button>
              </li>
            ))}
          </Row>
        )}
      </QueryView>
    </Modal>
  )
}

function Standing({ open }: { open: boolean }) {
  const { t } = useTranslation('control')
  const Mark = open ? IconDoorEnter : IconDoor
  return (
    <Row as="span" inline gap="s" align="center" tone={open ? 'cleaning' : 'quiet'}>
      <Mark size={16} stroke={1.75} aria-hidden="true" />
      {t(open ? 'door-open' : 'door-closed')}
    </Row>
  )
}

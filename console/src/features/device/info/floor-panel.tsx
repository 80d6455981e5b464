/** The floor that the robot is on, with what was cleaned there today; a press on a room cleans it. */
import { useTranslation } from '@/shared/i18n/text'
import { Panel } from '@/shared/ui/panel'
import { useCleanedRooms } from '@/widgets/map/cleaned-rooms'
import { FloorTile } from '@/widgets/map/floor-tile'
import { usePlace } from '@/widgets/place'
import type { Robot } from '@/widgets/robot/robot'
import { useCleanFloor } from '@/widgets/task/clean/clean-floor'
import styles from './info.module.css'

export function FloorPanel({ row }: { row: Robot }) {
  const { t } = useTranslation('fleet')
  const { place } = usePlace()
  const { deviceId, deviceCode, mapId } = row
  const label = place(row.address, row.address1)
  const rooms = useCleanedRooms(mapId)
  const clean = useCleanFloor(label, mapId === null ? [] : [{ deviceId, deviceCode, mapId }], rooms)
  if (mapId === null) return null
  return (
    <Panel title={t('floor')} extra={clean.button} className={styles.panel}>
      <div className={styles.floor}>
        <FloorTile
          deviceId={deviceId}
          mapId={mapId}
          robots={[deviceId]}
          names={[deviceCode]}
          furniture
          label={label}
          missing={t('device:no-map')}
          onTap={clean.onTap}
        />
      </div>
      {clean.dialog}
    </Panel>
  )
}

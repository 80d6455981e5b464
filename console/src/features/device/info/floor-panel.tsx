/** The floor that the robot is on, with what was cleaned there today. */
import { useTranslation } from '@/shared/i18n/text'
import { Panel } from '@/shared/ui/panel'
import { FloorTile } from '@/widgets/map/floor-tile'
import { usePlace } from '@/widgets/place'
import type { Robot } from '@/widgets/robot/robot'
import styles from './info.module.css'

export function FloorPanel({ row }: { row: Robot }) {
  const { t } = useTranslation('fleet')
  const { place } = usePlace()
  if (row.mapId === null) return null
  const label = place(row.address, row.address1)
  return (
    <Panel title={t('floor')} className={styles.panel}>
      <div className={styles.floor}>
        <FloorTile
          deviceId={row.deviceId}
          mapId={row.mapId}
          robots={[row.deviceId]}
          furniture
          label={label}
          missing={t('device:no-map')}
        />
      </div>
    </Panel>
  )
}

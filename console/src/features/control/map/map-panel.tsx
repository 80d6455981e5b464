/** The map's panel: the live floor, or the one that is being built; its tools, its legend, and which map is loaded. */
import { IconPencil } from '@tabler/icons-react'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import type { Point } from '@/canvas/geometry/geometry'
import type { Editor, Tool } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { live } from '@/shared/live/live'
import { useMay } from '@/shared/session/session'
import { below } from '@/shared/theme/tokens'
import { Row } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { LinkButton } from '@/widgets/list/link-button'
import { RoomList, useCleanedRooms } from '@/widgets/map/cleaned-rooms'
import type { Floor } from '@/widgets/map/floor'
import { usePast } from '@/widgets/map/past'
import { mapPath } from '@/widgets/paths'
import type { NamedRobot } from '@/widgets/robot/robot-spots'
import { SupportClosed } from '@/widgets/support-closed'
import type { ControlRow } from '../control-row'
import type { Hand } from '../hand'
import type { Subject } from '../status/subject-band'
import { Legend } from './legend'
import styles from './map.module.css'
import { MapTools } from './map-tools'
import { RobotMap } from './robot-map'
import { SwitchMap } from './switch-map'

// The tools stand over the map's left edge, on a phone over its upper one.
const TOOLS_PX = 48
const BESIDE = { left: TOOLS_PX } as const
const ABOVE = { top: TOOLS_PX } as const
const toolsInset = () => (matchMedia(below('landscape')).matches ? ABOVE : BESIDE)
const HOW = { goTo: 'go-to-how', window: 'window-how', measure: 'measure-how' } as const

const loadedMap = ({ deviceId }: NamedRobot) => live.robot(deviceId)?.row.mapId

interface Props {
  device: Subject
  row: ControlRow
  floor: Floor
  /** The floor with what is drawn on it, or the map that is being built. */
  map: MapDocument | undefined
  building: boolean
  /** That stand on the same floor. */
  others: readonly NamedRobot[]
  hand: Hand
  tool: ((editor: Editor) => Tool) | undefined
  onHand(hand: Hand): void
  onCommit(map: MapDocument): void
  onTap: ((at: Point) => void) | undefined
  onView(view: MapView | undefined): void
}

export function MapPanel(props: Props) {
  const { device, row, floor, map, building, others, hand, tool, onHand, onCommit, onTap, onView } = props
  const { t } = useTranslation('control')
  const mayEdit = useMay('device/maplist')
  const [inset] = useState(toolsInset)
  const past = usePast(building ? undefined : floor.document, row.run !== '')
  const rooms = useCleanedRooms(row.mapId, !building && floor.document !== undefined)
  const pinned = building ? [] : [row.mapId, ...others.map(loadedMap)].filter((id) => id != null)
  const nothing = (): ReactNode => {
    if (building) return undefined
    if (floor.closed) return <SupportClosed ownerId={device.ownerUserId} />
    if (!floor.missing) return undefined
    return <Nothing why={row.mapName ? t('map-not-here', { name: row.mapName }) : t('banner-map-not-selected')} />
  }
  return (
    <Row stack grow surface className={styles.stage}>
      {nothing() ?? (
        <RobotMap
          deviceId={device.deviceId}
          name={device.deviceCode}
          label={t('map-label', { robot: device.deviceCode, map: building ? (map?.name ?? '') : row.mapName })}
          document={map}
          past={past}
          tool={tool}
          robots={others}
          pinned={pinned}
          inset={inset}
          onCommit={onCommit}
          onTap={onTap}
          onView={onView}
        >
          {(stands, following) => (
            <>
              <MapTools
                view={stands}
                following={following}
                document={map}
                measuring={hand === 'measure'}
                onMeasure={(on) => onHand(on ? 'measure' : undefined)}
              />
              {hand && hand in HOW && (
                <Row
                  wrap
                  gap="l"
                  lines="xs"
                  align="center"
                  justify="between"
                  pad="s l"
                  surface
                  className={styles.how}
                  role="status"
                >
                  {t(HOW[hand as keyof typeof HOW])}
                  <Button size="small" onClick={() => onHand(undefined)}>
                    {t('cancel')}
                  </Button>
                </Row>
              )}
            </>
          )}
        </RobotMap>
      )}
      <RoomList rooms={rooms} floor={row.mapName} />
      <Row wrap gap="xl" lines="s" align="center" justify="between" pad="s l" rule="above" className={styles.foot}>
        <Legend />
        {mayEdit && row.mapId !== null && !building && !floor.closed && (
          <LinkButton size="small" icon={<IconPencil size={15} />} to={mapPath(row.mapId)}>
            {t('edit-map')}
          </LinkButton>
        )}
        <SwitchMap row={row} />
      </Row>
    </Row>
  )
}

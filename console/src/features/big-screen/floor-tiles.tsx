/** Three floors, live; more take turns. Those on which somebody is needed come first. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useConnection, useNow, useRobotParts } from '@/shared/live/live'
import type { Answer } from '@/shared/rpc/contract'
import { useSession } from '@/shared/session/session'
import { Text } from '@/shared/ui/layout'
import { FloorTile } from '@/widgets/map/floor-tile'
import { usePlace } from '@/widgets/place'
import { shareOf } from '@/widgets/share'
import styles from './big-screen.module.css'
import { Tile } from './tile'

type Floor = Answer<'/board/overview'>['floors'][number]

const AT_ONCE = 3
const TURN_MS = 20_000

/** Those of this turn: whole turns follow one another, the last one shows what is left beside the first ones. */
export function floorsOfTurn<T>(floors: readonly T[], turn: number): readonly T[] {
  if (floors.length <= AT_ONCE) return floors
  const first = (turn % Math.ceil(floors.length / AT_ONCE)) * AT_ONCE
  return [...floors, ...floors].slice(first, first + AT_ONCE)
}

/** `at`: when it was asked which floors there are; a floor itself is as old as its newest frame. */
export function FloorTiles({ floors, at }: { floors: readonly Floor[]; at: number }) {
  const { t } = useTranslation('wall')
  const turn = Math.floor(useNow(TURN_MS) / TURN_MS)
  if (floors.length === 0)
    return (
      <Tile title={t('floors')} at={at} className={styles.noFloors}>
        <Text tone="quiet">{t('no-floors')}</Text>
      </Tile>
    )
  return floorsOfTurn(floors, turn).map((floor) => <LiveFloor key={floor.mapId} floor={floor} />)
}

function LiveFloor({ floor }: { floor: Floor }) {
  const { t } = useTranslation('wall')
  const { percent } = useFormats()
  const { place, floor: levelName } = usePlace()
  const { lastFrameAt } = useConnection()
  const isWall = useSession()?.wall === true // opened by a link: it shows the fleet, and gives no orders
  const modes = useRobotParts(floor.deviceIds, ({ mode }) => mode)
  const share = floor.planned > 0 ? shareOf(floor.cleaned, floor.planned) : undefined
  return (
    <Tile
      title={
        <>
          <bdi>{floor.building}</bdi>{' '}
          <Text as="span" tone="quiet" strong={false}>
            <bdi>{levelName(floor.floor)}</bdi>
          </Text>
        </>
      }
      extra={share !== undefined && percent(share)}
      at={lastFrameAt}
      alert={modes.includes('help') || modes.includes('emergency')}
      className={styles.floor}
    >
      <div className={styles.plan}>
        <FloorTile
          deviceId={floor.deviceIds[0]}
          mapId={floor.mapId}
          robots={floor.deviceIds}
          maps={floor.mapIds}
          {...(!isWall && { names: floor.deviceNames })}
          furniture
          label={place(floor.building, floor.floor)}
          missing={t('no-floors')}
        />
      </div>
    </Tile>
  )
}

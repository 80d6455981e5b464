/**
 * /bigScreen: the fleet on a wall, to be read from across the room. It stands outside the main layout, in the dark colours,
 * and looks after itself: it comes back after an outage, dims at night and moves a little, so that nothing burns in.
 */
import { useEffect } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useShow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useForcedMode } from '@/shared/theme/scheme'
import { Boundary } from '@/shared/ui/boundary'
import { QueryView } from '@/shared/ui/query-view'
import { AlarmsTile } from './alarms-tile'
import styles from './big-screen.module.css'
import { CleanedTile } from './cleaned-tile'
import { FleetBand } from './fleet-band'
import { FloorTiles } from './floor-tiles'
import { Head } from './head'
import { NeedsTile } from './needs-tile'
import { useDimming, useDrift, useScreenSize, useWakefulness, useWatchdog } from './upkeep'
import { WallMap } from './wall-map'

const GOOD_MS = 60_000 // a new day, a new hour: what the server has no word for

export function BigScreen() {
  const { t } = useTranslation('wall')
  const overview = useCall('/board/overview', undefined, { goodMs: GOOD_MS })
  const wall = useCall('/board/bigScreen', undefined, { goodMs: GOOD_MS })
  const [dimmed, dim] = useDimming()
  const drift = useDrift()
  useForcedMode('dark')
  useScreenSize()
  useWatchdog()
  useWakefulness()
  useShow({ counts: true })
  useEffect(() => {
    document.title = `${t('common:big-screen')} · Lustra`
  }, [t])
  return (
    <main className={styles.wall} data-dimmed={dimmed || undefined} style={{ translate: drift }}>
      <Head name={wall.data?.name} dim={dim} />
      <Boundary>
        <QueryView query={overview}>
          {(board) => (
            <QueryView query={wall}>
              {(screen) => (
                <>
                  <Boundary>
                    <FleetBand sites={board.sites.length} />
                  </Boundary>
                  <div className={styles.middle}>
                    <CleanedTile board={board} month={screen.month} at={overview.dataUpdatedAt} />
                    <Boundary>
                      <WallMap sites={screen.sites} at={wall.dataUpdatedAt} />
                    </Boundary>
                    <NeedsTile needs={screen.needs} events={screen.events} at={wall.dataUpdatedAt} />
                  </div>
                  <div className={styles.bottom}>
                    <Boundary>
                      <FloorTiles floors={board.floors} at={overview.dataUpdatedAt} />
                    </Boundary>
                    <AlarmsTile screen={screen} at={wall.dataUpdatedAt} />
                  </div>
                </>
              )}
            </QueryView>
          )}
        </QueryView>
      </Boundary>
    </main>
  )
}

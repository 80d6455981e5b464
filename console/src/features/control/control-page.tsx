/**
 * The page of one robot: watch it live, take control, drive it, give it a task, stop it. Whoever sees the page may stop
 * the robot; everything else that moves it wants the control lock. Each part fails to draw by itself; where the stop or the
 * run failed, plain ones stand in their place.
 */
import { memo, useMemo, useState } from 'react'
import type { MapView } from '@/canvas/view'
import { ageOf, freshness } from '@/shared/live/age'
import { live, useLive, useNow } from '@/shared/live/live'
import { useMay } from '@/shared/session/session'
import { Boundary } from '@/shared/ui/boundary'
import { Page } from '@/shared/ui/panel'
import { can } from '@/widgets/robot/robot'
import { useRoomChoice } from '@/widgets/task/clean/room-choice'
import { useTaskDrawing } from '@/widgets/task/drawing'
import type { Forecast } from '@/widgets/task/robot-task'
import { Actions } from './actions'
import { CommandList } from './command-list'
import styles from './control.module.css'
import type { ControlRow } from './control-row'
import { DrivePanel } from './drive/drive-panel'
import { FallbackRun, FallbackStop } from './fallback-controls'
import { useHand } from './hand'
import { ControlRequest } from './lock/control-request'
import { useLock } from './lock/lock'
import { LockCard } from './lock/lock-card'
import { useGrowing } from './map/map-building'
import { MapPanel } from './map/map-panel'
import { MappingPanel } from './map/mapping-panel'
import { useOthers } from './map/other-robots'
import { useRobotFloor } from './map/robot-floor'
import { useRobotActions } from './robot-actions'
import { type Scope, ScopeOf } from './scope'
import { Banners } from './status/banners'
import { LivePanel } from './status/live-panel'
import { type Subject, SubjectBand } from './status/subject-band'
import { StopButton } from './stop-button'
import { CleanRooms } from './task/clean-rooms'
import { NewTask } from './task/new-task'
import { RunDock } from './task/run-dock'
import { TaskPanel } from './task/task-panel'

const SHORT = 10 // minutes of control for one deed

interface Props {
  device: Subject
  row: ControlRow
}

export function ControlPage({ device, row }: Props) {
  const { deviceId, protocolVersion: protocol, abilities, commands } = device
  const now = useNow()
  const lock = useLock(deviceId, now)
  const actions = useRobotActions(deviceId, protocol, row.mapName)
  const state = useLive((store) => store.connection().state)
  const patience = useLive((store) => store.connection().offlineAfterMs)
  const seen = live.robot(deviceId)
  const online = row.mode !== 'offline'
  const [watching, setWatching] = useState(false)
  const free = lock.known && !lock.owner
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lock's functions are new each second, and the same
  const scope = useMemo<Scope>(
    () => ({
      ...{ deviceId, protocol, abilities, commands, inControl: lock.inControl, online, actions },
      takeControl: free ? () => lock.takeFor(SHORT) : undefined,
    }),
    [deviceId, protocol, abilities, commands, lock.inControl, free, online, actions],
  )
  const receiving = state === 'live' && seen !== undefined && freshness(seen, now, patience) === 'fresh'
  return (
    <ScopeOf value={scope}>
      <Page className={styles.page}>
        <Boundary>
          <SubjectBand
            device={device}
            row={row}
            ageMs={seen && ageOf(seen, now)}
            watching={watching}
            onWatch={setWatching}
          />
        </Boundary>
        <div className={styles.columns} data-driving={row.mode === 'manual' || undefined}>
          <div className={styles.guard}>
            <Boundary>
              <LockCard deviceId={deviceId} lock={lock} now={now} />
            </Boundary>
            <Boundary fallback={() => <FallbackStop deviceId={deviceId} />}>
              <StopButton row={row} />
            </Boundary>
            {lock.inControl && lock.asker && <ControlRequest lock={lock} />}
          </div>
          <Boundary
            fallback={(retry) => (
              <div className={styles.main}>
                <FallbackRun deviceId={deviceId} retry={retry} />
              </div>
            )}
          >
            <Floor device={device} row={row} receiving={receiving} watching={watching && online} />
          </Boundary>
        </div>
      </Page>
    </ScopeOf>
  )
}

/** The map with what is done on it, and the panels beside it. */
const Floor = memo(({ device, row, receiving, watching }: Props & { receiving: boolean; watching: boolean }) => {
  const { deviceId } = device
  const [view, setView] = useState<MapView>()
  const floor = useRobotFloor(deviceId, row.mapId, row.mapRevision)
  const growing = useGrowing(deviceId, row.mapName === '' && row.mode !== 'offline')
  const { hand, setHand, tool } = useHand(view)
  const mayTask = useMay('device/taskList')
  const task = useTaskDrawing(floor.document, setHand)
  const choice = useRoomChoice(floor.document)
  const choosing = choice.open && !task.making
  const map = growing?.document ?? (choosing ? choice.map : task.map)
  const others = useOthers(device, floor, view)
  const preview = (forecast: Forecast | undefined) => view?.setPath({ ahead: forecast?.path.flat() ?? [], driven: [] })
  const close = () => {
    task.close()
    view?.setPath(undefined)
  }
  return (
    <>
      <div className={styles.main}>
        <Boundary>
          <Banners row={row} />
        </Boundary>
        <div className={styles.map}>
          <Boundary>
            <MapPanel
              device={device}
              row={row}
              floor={floor}
              map={map}
              building={growing !== undefined}
              others={others}
              hand={hand}
              tool={tool}
              onHand={setHand}
              onCommit={task.committed}
              onTap={mayTask && !task.making && !growing ? choice.tap : undefined}
              onView={setView}
            />
          </Boundary>
        </div>
        <Boundary fallback={(retry) => <FallbackRun deviceId={deviceId} retry={retry} />}>
          <RunDock row={row} />
        </Boundary>
      </div>
      <div className={styles.side}>
        {watching && (
          <Boundary>
            <LivePanel device={device} />
          </Boundary>
        )}
        {!growing && (task.making || choosing) && (
          <Boundary>
            {task.making ? (
              <NewTask
                map={map}
                drawing={hand === 'area' || hand === 'start' ? hand : undefined}
                onDraw={setHand}
                onForecast={preview}
                onDrawn={task.restore}
                carpets={can(device, 'carpet')}
                onClose={close}
              />
            ) : (
              <CleanRooms row={row} choice={choice} carpets={can(device, 'carpet')} />
            )}
          </Boundary>
        )}
        <Boundary>
          <CommandList deviceId={deviceId} />
        </Boundary>
        {growing && (
          <Boundary>
            <MappingPanel document={growing.document} seen={growing.area} />
          </Boundary>
        )}
        <div className={styles.drive}>
          <Boundary>
            <DrivePanel row={row} receiving={receiving} />
          </Boundary>
        </div>
        <Boundary>
          <Actions
            row={row}
            map={map}
            hand={hand}
            building={growing !== undefined}
            onHand={setHand}
            onShow={(at) => view?.centreOn(at)}
          />
        </Boundary>
        {!growing && !task.making && !choosing && (
          <Boundary>
            <TaskPanel
              deviceId={deviceId}
              row={row}
              drawn={task.drawn}
              onShow={task.show}
              onNew={() => task.begin()}
              onRooms={choice.rooms.length > 0 ? choice.begin : undefined}
              roomless={floor.document !== undefined && choice.rooms.length === 0}
            />
          </Boundary>
        )}
      </div>
    </>
  )
})

/**
 * Remote control of a robot of protocol 3: watch it live, take control, give it a task, stop it. Whoever sees the page may
 * stop the robot; everything else that moves it wants the control lock.
 */
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { type MapDocument, newId, withOnly } from '@/canvas/document'
import { area } from '@/canvas/tools/area'
import { startPoint } from '@/canvas/tools/flag'
import type { Editor } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { useConnection, useNow, useRobotLive, useShow } from '@/shared/live/live'
import type { Seen } from '@/shared/live/store'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Loading, Nothing, Shown } from '@/shared/ui/shown'
import { useSubject } from '@/shared/ui/subject'
import { can } from '@/widgets/robot'
import { SupportClosed } from '@/widgets/support-closed'
import { Banners } from './banners'
import { CommandList } from './command-list'
import styles from './control.module.css'
import { useDeeds } from './deeds'
import { Legend } from './legend'
import { useLock } from './lock'
import { LockCard } from './lock-card'
import { MapTools } from './map-tools'
import { type Drawing, NewTask } from './new-task'
import { useRobotFloor } from './robot-floor'
import { RobotMap } from './robot-map'
import type { Forecast, RobotTask } from './robot-tasks'
import { RunDock } from './run-dock'
import { StopButton } from './stop-button'
import { type Subject, SubjectBand } from './subject-band'
import { SwitchMap } from './switch-map'
import { TaskPanel } from './task-panel'

const TOOLS_PX = 48 // the tools stand over the map's left edge

export function ControlScreen() {
  const deviceId = Number(useParams().deviceId)
  const { t } = useTranslation('control')
  const device = useCall('/device/selectDeviceByDeviceId', { deviceId })
  useSubject(device.data?.deviceCode)
  return (
    <Shown query={device}>
      {(found) =>
        found.protocolVersion < 3 ? <Nothing why={t('older-robot')} /> : <Watched device={found as Subject} />
      }
    </Shown>
  )
}

function Watched({ device }: { device: Subject }) {
  const id = device.deviceId
  useShow({ robots: [id], cells: [id], detail: id })
  const seen = useRobotLive(id)
  return seen ? <Control device={device} seen={seen} /> : <Loading />
}

/** The floor with what a person draws on it; a new revision of the floor keeps nothing drawn. */
function useDrawing(floor: MapDocument | undefined) {
  const [draft, setDraft] = useState<MapDocument>()
  const stands = draft && floor && draft.id === floor.id && draft.revision === floor.revision
  return [stands ? draft : floor, setDraft] as const
}

function Control({ device, seen }: { device: Subject; seen: Seen }) {
  const { row } = seen
  const id = device.deviceId
  const { t } = useTranslation('control')
  const now = useNow()
  const lock = useLock(id, now)
  const deeds = useDeeds(id, row.mapName)
  const connection = useConnection()
  const floor = useRobotFloor(id, row.mapId, row.mapRevision)
  const [map, setDraft] = useDrawing(floor.document)
  const [making, setMaking] = useState(false)
  const [drawing, setDrawing] = useState<Drawing>()
  const [shown, setShown] = useState<string>()
  const [view, setView] = useState<MapView>()

  const tool = useMemo(() => {
    if (drawing === 'area') return (editor: Editor) => area(editor)
    return drawing === 'start' ? startPoint : undefined
  }, [drawing])
  const committed = useCallback(
    (next: MapDocument) => {
      setDraft(next)
      // the next thing to do is handed over: after the area comes the start point
      const started = next.marks.some((mark) => mark.kind === 'startPoint')
      setDrawing((was) => (was === 'area' && !started ? 'start' : undefined))
    },
    [setDraft],
  )
  const preview = useCallback(
    (forecast: Forecast | undefined) => view?.setPath({ ahead: forecast?.path.flat() ?? [], driven: [] }),
    [view],
  )
  const show = (task: RobotTask) => {
    const points = task.areas[0]?.points.map(([x, y]) => ({ x, y }))
    if (!floor.document || !points || shown === task.name) {
      setDraft(undefined)
      setShown(undefined)
      return
    }
    const marked = withOnly(floor.document, { id: newId(), kind: 'taskArea', name: task.name, points })
    const start = task.start
    setDraft(
      start
        ? withOnly(marked, { id: newId(), kind: 'startPoint', name: '', at: { x: start[0], y: start[1], yaw: 0 } })
        : marked,
    )
    setShown(task.name)
  }
  const close = () => {
    setMaking(false)
    setDrawing(undefined)
    setDraft(undefined)
    view?.setPath(undefined)
  }
  const begin = () => {
    setShown(undefined)
    setDraft(undefined)
    setMaking(true)
    setDrawing('area')
  }

  return (
    <Page className={styles.page}>
      <SubjectBand device={device} seen={seen} now={now} />
      <div className={styles.columns}>
        <div className={styles.guard}>
          <LockCard lock={lock} now={now} />
          <StopButton row={row} mine={lock.mine} deeds={deeds} />
        </div>
        <div className={styles.main}>
          <Banners row={row} connected={connection.state !== 'lost'} />
          <div className={styles.stage}>
            {floor.closed ? (
              <SupportClosed ownerId={device.ownerUserId} />
            ) : floor.missing ? (
              <Nothing why={row.mapName ? t('map-not-here', { name: row.mapName }) : t('banner-map-not-selected')} />
            ) : (
              <RobotMap
                deviceId={id}
                name={device.deviceCode}
                label={t('map-label', { robot: device.deviceCode, map: row.mapName })}
                document={map}
                tool={tool}
                inset={TOOLS_PX}
                onCommit={committed}
                onView={setView}
              >
                {(stands, following) => <MapTools view={stands} following={following} document={map} />}
              </RobotMap>
            )}
            <div className={styles.stageFoot}>
              <Legend />
              <SwitchMap deviceId={id} row={row} mine={lock.mine} deeds={deeds} />
            </div>
          </div>
          <RunDock row={row} mine={lock.mine} deeds={deeds} />
        </div>
        <aside className={styles.side}>
          {making ? (
            <NewTask
              deviceId={id}
              map={map}
              drawing={drawing}
              deeds={deeds}
              onDraw={setDrawing}
              onForecast={preview}
              carpets={can(device, 'carpet')}
              onClose={close}
            />
          ) : (
            <TaskPanel
              deviceId={id}
              row={row}
              mine={lock.mine}
              deeds={deeds}
              shown={shown}
              onShow={show}
              onNew={begin}
            />
          )}
          <CommandList deviceId={id} />
        </aside>
      </div>
    </Page>
  )
}

/**
 * Rooms of a floor, cleaned now from wherever the floor is shown: the control page need not be opened. Control is taken for
 * the start alone.
 */
import { Select } from 'antd'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { fromRow } from '@/canvas/document/wire'
import type { Point } from '@/canvas/geometry/geometry'
import { useTranslation } from '@/shared/i18n/text'
import { live, useRobotPart, useRobotParts, useShow } from '@/shared/live/live'
import { COMMANDS } from '@/shared/relay/commands'
import { command } from '@/shared/relay/life'
import { RelayRefusal } from '@/shared/relay/relay'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Loading, Nothing } from '@/shared/ui/query-view'
import { Field, Problem, Warning } from '../../form/field'
import { useAttempt } from '../../form/use-attempt'
import { useDocument } from '../../map/floor'
import { MapStage } from '../../map/map-stage'
import { controlled } from '../../robot/controlled'
import { can, has } from '../../robot/robot'
import { SupportLock } from '../../support-closed'
import styles from './clean.module.css'
import { useCleaning } from './cleaning'
import { useRoomChoice } from './room-choice'
import { RoomsForm } from './rooms-form'

/** A robot of the floor, and what it calls this floor. */
export interface FloorRobot {
  readonly deviceId: number
  readonly deviceCode: string
  readonly mapId: number
}

interface Props {
  /** What the floor is called. */
  label: string
  robots: readonly FloorRobot[]
  /** The place that was pressed: its room is chosen. */
  at: Point | undefined
  onClose(): void
}

const WIDTH = 860
const LOADS_MS = 30_000 // a large map on a slow robot

/** The robot has this floor's map from now on; what it began meanwhile is not ended. */
async function load(deviceId: number, mapId: number, name: string, label: string) {
  const loaded = new Promise<boolean>((resolve) => {
    const look = () => live.robot(deviceId)?.row.mapId === mapId && done(true)
    const done = (result: boolean) => {
      stop()
      clearTimeout(timer)
      resolve(result)
    }
    const stop = live.listenTo([deviceId], look)
    const timer = setTimeout(() => done(false), LOADS_MS)
  })
  await command(deviceId, { command: 'map_load', payload: { name, ends: '' }, label })
  if (!(await loaded)) throw new RelayRefusal(0, 'no answer', 'robot_late', '')
}

export function CleanDialog({ label, robots, at, onClose }: Props) {
  const { t } = useTranslation('control')
  const ids = robots.map(({ deviceId }) => deviceId)
  useShow({ robots: ids })
  const free = useFreest(robots)
  const [chosen, setChosen] = useState<number>()
  const robot = robots.find(({ deviceId }) => deviceId === (chosen ?? free))
  const choice = robots.length > 1 && (
    <Field label={t('robot')}>
      <Select
        aria-label={t('robot')}
        value={robot?.deviceId ?? null}
        options={robots.map(({ deviceId, deviceCode }) => ({ value: deviceId, label: deviceCode }))}
        onChange={setChosen}
      />
    </Field>
  )
  if (!robot) return null
  return <Cleaner key={robot.deviceId} {...{ label, robot, at, onClose }} head={choice} />
}

/** The one that could begin at once: on this floor, without a task, with the most charge; it stays while the dialog does. */
function useFreest(robots: readonly FloorRobot[]): number | undefined {
  const [first, setFirst] = useState<number>()
  const charges = useRobotParts(
    robots.map(({ deviceId }) => deviceId),
    ({ id, mode, run, mapId, battery }) => {
      const here = robots.some((robot) => robot.deviceId === id && robot.mapId === mapId)
      return here && run === '' && mode !== 'offline' && mode !== 'emergency' ? Math.round(battery) : -1
    },
  )
  const most = Math.max(...charges.map((charge) => charge ?? -1))
  const best = most < 0 ? undefined : robots[charges.indexOf(most)]?.deviceId
  if (first === undefined && best !== undefined) setFirst(best)
  return first ?? robots[0]?.deviceId
}

interface CleanerProps extends Omit<Props, 'robots'> {
  robot: FloorRobot
  head: ReactNode
}

function Cleaner({ label, robot: { deviceId, deviceCode, mapId }, at, head, onClose }: CleanerProps) {
  const { t } = useTranslation('control')
  const row = useRobotPart(deviceId, ({ mode, mapId: loaded, run }) => ({ mode, loaded, run }))
  const { loaded, run = '' } = row ?? {}
  const online = row !== undefined && row.mode !== 'offline'
  const maps = useCall('/map/selectMap', { deviceId })
  const listed = useCall('/device/selectDeviceByDeviceId', { deviceId })
  const map = maps.data?.list.find((known) => known.mapId === mapId)
  const mapName = map?.name ?? ''
  const mayLoad = useMay(COMMANDS.map_load.needs)
  const elsewhere = row !== undefined && loaded !== mapId
  const floor = useDocument(map, maps.isError || (maps.isSuccess && !map))
  // its rooms do not wait for its picture
  const bare = useMemo(() => (map && !map.closed ? fromRow(map) : undefined), [map])
  const document = floor.document ?? bare
  const choice = useRoomChoice(document)
  const cleaning = useCleaning({ deviceId, mapId, mapName, online, run }, choice)
  const attempt = useAttempt()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the floor is there
  useEffect(() => {
    if (!document) return
    if (at) choice.tap(at)
    choice.begin()
  }, [document !== undefined])
  const blocked = () => {
    if (!online) return t('robot-offline')
    if (elsewhere && !(mayLoad && listed.data && has(listed.data, 'map_load'))) return t('robot-elsewhere')
    return listed.data && !has(listed.data, 'task_add') ? t('rooms-unable') : cleaning.blocked
  }
  const start = () =>
    attempt.run(
      () =>
        controlled(deviceId, async () => {
          if (elsewhere) await load(deviceId, mapId, mapName, t('load-named', { name: mapName }))
          return cleaning.start((order) => command(deviceId, order))
        }),
      (started) => {
        if (!started) return
        notice('success', t('rooms-started', { robot: deviceCode }))
        onClose()
      },
    )
  return (
    <Modal
      open
      width={WIDTH}
      title={`${t('robot:clean-rooms')} · ${label}`}
      okText={t(elsewhere ? 'switch-and-clean' : 'clean-now')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: attempt.busy, disabled: blocked() !== '', title: blocked() }}
      onOk={() => void start()}
      onCancel={onClose}
    >
      {floor.closed ? (
        <SupportLock />
      ) : (
        <Columns gap="xl">
          <div className={styles.map}>
            {floor.document ? (
              <MapStage label={label} document={choice.map} onTap={choice.tap} />
            ) : floor.missing ? (
              <Nothing why={t('robot:no-map-unknown')} />
            ) : (
              <Loading />
            )}
          </div>
          <Row stack gap="m">
            {head}
            <RoomsForm cleaning={cleaning} carpets={listed.data !== undefined && can(listed.data, 'carpet')} />
            {elsewhere && !blocked() && <Warning>{t('robot-elsewhere')}</Warning>}
            {blocked() && (
              <Text size="small" tone="soft">
                {blocked()}
              </Text>
            )}
            <Problem text={attempt.problem} />
          </Row>
        </Columns>
      )}
    </Modal>
  )
}

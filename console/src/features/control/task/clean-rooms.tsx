/** Rooms of the floor, cleaned now: chosen on the map or in the list, without drawing anything. */
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Segmented } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Warning } from '@/widgets/form/field'
import { type CleanedRoom, useCleanedRooms, useCleanedText } from '@/widgets/map/cleaned-rooms'
import { useRefusalText } from '@/widgets/refusal-text'
import { useWetFloor } from '@/widgets/robot/wet-floor'
import { MannerFields } from '@/widgets/task/manner-fields'
import { type Manner, USUAL } from '@/widgets/task/robot-task'
import { tasksFor } from '@/widgets/task/rooms'
import type { ControlRow } from '../control-row'
import { CommandButton, useScope } from '../scope'
import { useRobotTasks } from './robot-tasks'
import type { RoomChoice } from './room-choice'
import { type RoomForecast, useRoomForecasts } from './room-forecast'
import styles from './tasks.module.css'

const TIMES = [1, 2, 3] as const

interface Props {
  row: ControlRow
  choice: RoomChoice
  /** Whether the robot can clean them. */
  carpets: boolean
}

export function CleanRooms({ row, choice, carpets }: Props) {
  const { t } = useTranslation('control')
  const { deviceId, inControl, takeControl } = useScope()
  const [manner, setManner] = useState<Manner>(USUAL)
  const [times, setTimes] = useState<number>(1)
  const [starting, setStarting] = useState(false)
  const { rooms, chosen } = choice
  const cleaned = useCleanedRooms(row.mapId)
  const forecasts = useRoomForecasts(deviceId, row.mapName, chosen, manner)
  const plans = forecasts.flatMap(({ data }) => data ?? [])
  const start = useStart(row)
  const wet = useWetFloor(deviceId, [row.mapName])
  const why = useRefusalText()
  const problems = chosen.flatMap((room, i) => {
    const error = forecasts[i]?.error
    return error ? [{ name: room.name, text: why(error) ?? '' }] : []
  })
  const blocked = () => {
    if (row.run) return t('task-runs')
    if (chosen.length === 0) return t('choose-rooms')
    return plans.length < chosen.length ? t('rooms-planning') : ''
  }
  const run = async () => {
    setStarting(true)
    const started = (inControl || (await takeControl?.())) && (await start(choice, plans, manner, times))
    setStarting(false)
    if (started) choice.close()
  }
  return (
    <Panel title={t('clean-rooms')}>
      <Row stack gap="m" pad="m panel">
        <Text as="p" size="small" tone="soft">
          {t('clean-rooms-how')}
        </Text>
        <ul className={styles.rooms} aria-label={t('rooms')}>
          {rooms.map((room) => {
            const place = chosen.indexOf(room)
            return (
              <li key={room.id}>
                <Checkbox checked={place >= 0} onChange={() => choice.toggle(room.id)}>
                  <bdi>{room.name}</bdi>
                </Checkbox>
                <LastCleaned room={cleaned.find(({ id, name }) => id === room.id || name === room.name)} />
                {place >= 0 && chosen.length > 1 && <b>{place + 1}</b>}
              </li>
            )
          })}
        </ul>
        <Row gap="m" align="center" justify="between">
          <span id="room-times">{t('times')}</span>
          <Segmented
            size="small"
            aria-labelledby="room-times"
            value={times}
            options={TIMES.map((value) => ({ value, label: <bdi dir="ltr">{value}×</bdi> }))}
            onChange={setTimes}
          />
        </Row>
        <details className={styles.more}>
          <summary>{t('how-it-cleans')}</summary>
          <MannerFields manner={manner} carpets={carpets} follows={false} onChange={setManner} />
        </details>
        {chosen.length > 0 && plans.length === chosen.length && <Sum plans={plans} times={times} />}
        {problems.map(({ name, text }) => (
          <Text as="p" size="small" tone="help" role="alert" key={name}>
            <bdi>{name}</bdi>: {text}
          </Text>
        ))}
        {wet && <Warning>{t('wet-floor-warning')}</Warning>}
        <Row gap="m" justify="end">
          <Button onClick={choice.close}>{t('cancel')}</Button>
          <CommandButton
            command="task_start"
            locked={!takeControl}
            type="primary"
            icon={<IconPlayerPlay size={16} />}
            loading={starting}
            label={t(inControl || !takeControl ? 'clean-now' : 'take-and-clean')}
            blocked={blocked()}
            onClick={run}
          />
        </Row>
      </Row>
    </Panel>
  )
}

function LastCleaned({ room }: { room: CleanedRoom | undefined }) {
  const text = useCleanedText()
  return (
    room && (
      <Text as="span" size="small" tone="soft">
        {text(room)}
      </Text>
    )
  )
}

function Sum({ plans, times }: { plans: readonly RoomForecast[]; times: number }) {
  const { t } = useTranslation('control')
  const { area, percent, span } = useFormats()
  const sum = (part: (of: RoomForecast['forecast']) => number) =>
    times * plans.reduce((all, { forecast }) => all + part(forecast), 0)
  return (
    <Text as="p" size="small">
      {t('rooms-forecast', {
        count: plans.length,
        area: area(sum((of) => of.reachable ?? of.area)).text,
        time: span(sum((of) => of.seconds) * 1000),
        battery: percent(sum((of) => of.battery) / 100),
      })}
    </Text>
  )
}

/** Gives the robot the tasks of rooms that it does not have yet, and starts them: one by itself, several as a group. */
function useStart({ mapName }: ControlRow) {
  const { t } = useTranslation('control')
  const { deviceId, online, actions } = useScope()
  const queries = useQueryClient()
  const known = useRobotTasks(deviceId, mapName, online)
  return async (
    { chosen }: RoomChoice,
    plans: readonly RoomForecast[],
    manner: Manner,
    times: number,
  ): Promise<boolean> => {
    const tasks = tasksFor(chosen, known.data ?? [], manner)
    for (const [i, { name, corners, known: saved }] of tasks.entries()) {
      if (saved) continue
      const where = { map_name: mapName, areas: [{ points: corners }], start: plans[i]?.start ?? null }
      const label = t('save-named', { name })
      const added = await actions.send({ command: 'task_add', payload: { name, ...where, ...manner }, label })
      if (!added) return false
    }
    await queries.invalidateQueries({ queryKey: ['relay', deviceId, 'task_list'] })
    const [first] = tasks
    if (first && tasks.length === 1 && times === 1) return (await actions.start(first.name)) !== undefined
    const group = t('clean-rooms')
    const { list } = await relayCall(deviceId, 'taskgroup_list', {})
    const before = list.find(({ name }) => name === group)
    const units = tasks.map(({ name }, i) => ({ name: chosen[i]?.name ?? name, map_name: mapName, task: name }))
    const grouped = await actions.send({
      command: 'taskgroup_add',
      payload: { name: group, type: 0, tasks: units, count: times, ...(before && { revision: before.revision }) },
      label: t('save-named', { name: group }),
    })
    if (!grouped) return false
    const started = await actions.send({
      command: 'task_start',
      payload: { group },
      label: t('start-named', { name: group }),
      confirms: (row) => row.run !== '',
    })
    return started !== undefined
  }
}

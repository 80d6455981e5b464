/** The schedules of a robot: on or off, when next, and what has become of the newest. */

import { IconArrowBarToUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { Switch } from 'antd'
import { type ReactNode, useState } from 'react'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Loading, Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { type Column, useWriting, type Writing } from '@/widgets/list/columns'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { has } from '@/widgets/robot/robot'
import { useDayNames } from '@/widgets/week'
import { Mirrored } from '../mirrored'
import type { Owner } from '../robot/owner'
import { useRefusalNotice, useTell } from '../robot-link'
import { clockOf, DELETE, EDIT, floorsOf, type Listed, payloadOf, useSchedules } from '../schedules'
import styles from './schedule.module.css'

const tasksOf = (schedule: Listed, { list }: Writing) =>
  floorsOf(schedule)
    .map(({ map_name, task_list }) => `${map_name}: ${list(task_list)}`)
    .join(' · ')

/** What has become of the newest, and why. */
function outcome({ state, reason }: Listed, { t }: Writing): string {
  const why = reason && textOr(t, `robot:no-${reason.replace(/[._]/g, '-')}`, reason)
  return [state && textOr(t, `state-${state}`, state), why].filter(Boolean).join(': ')
}

/** By which it is switched on and off. */
const enabler = ({ kind }: Listed) => (kind === 'timetask' ? 'timetask_enable' : EDIT[kind])

interface Props {
  /** What stands before the tools of the list. */
  head: ReactNode
  owner: Owner
  zone: string
  onEdit(schedule: Listed): void
}

export function ScheduleList({ head, owner, zone, onEdit }: Props) {
  const { deviceId, online } = owner
  const { t } = useTranslation('task')
  const may = useMay('device/taskList')
  const read = useSchedules(deviceId, online)
  const { tell, busy, refused, forget } = useTell(deviceId)
  const [going, setGoing] = useState<Listed>()
  const editable = may && read.from === 'robot'

  const enable = async (schedule: Listed, on: boolean) => {
    const label = t(on ? 'enable-named' : 'disable-named', { name: schedule.name })
    const order =
      schedule.kind === 'timetask'
        ? ({ command: 'timetask_enable', payload: { name: schedule.name, enable: on ? 1 : 0 }, label } as const)
        : { command: EDIT[schedule.kind], payload: payloadOf({ ...schedule, enable: on ? 1 : 0 }), label }
    await tell(order, schedule)
  }
  const top = (schedule: Listed) =>
    tell(
      { command: 'timetask_set_top', payload: { name: schedule.name }, label: t('top-named', { name: schedule.name }) },
      schedule,
    )
  const remove = async (schedule: Listed) => {
    const label = t('delete-named', { name: schedule.name })
    const order = { command: DELETE[schedule.kind], payload: { name: schedule.name }, label }
    if (await tell(order, { ...schedule, deleted: true })) setGoing(undefined)
  }
  useRefusalNotice(going ? undefined : refused)
  const { names } = useDayNames()
  if (!read.rows)
    return (
      <>
        {head}
        {read.error ? <Nothing role="alert" why={t('not-readable')} /> : <Loading />}
      </>
    )
  const columns: readonly Column<Listed>[] = [
    {
      key: 'enable',
      label: 'schedule-on',
      value: ({ enable }) => enable,
      cell: (schedule) => (
        <Switch
          size="small"
          checked={schedule.enable === 1}
          disabled={!editable || busy || !has(owner, enabler(schedule))}
          aria-label={t('enable-named', { name: schedule.name })}
          onChange={(on) => void enable(schedule, on)}
        />
      ),
    },
    { key: 'name', label: 'name', heading: true },
    { key: 'days', label: 'days', value: ({ days }) => names(days) },
    { key: 'start_time', label: 'start-time', value: (schedule) => clockOf(schedule.start_time) },
    {
      key: 'end_time',
      label: 'forced-end',
      value: (schedule) => (schedule.forced_end === 1 ? clockOf(schedule.end_time) : ''),
    },
    { key: 'floors', label: 'what', cut: true, value: tasksOf },
    {
      key: 'next',
      label: 'next',
      value: ({ next }) => next,
      cell: ({ next }, { dateTime }) => (next ? dateTime(next, zone) : ''),
    },
    { key: 'state', label: 'last-time', value: outcome, cell: (schedule) => <Outcome schedule={schedule} /> },
  ]
  return (
    <>
      <Mirrored read={read} />
      <ListView
        name="schedule"
        texts="task"
        label={t('schedules')}
        columns={columns}
        query={{ ...read, data: { list: read.rows } }}
        idOf={({ kind, name }) => `${kind}/${name}`}
        empty={<Nothing why={t('no-schedules')} />}
        search={head}
        actions={(schedule) =>
          editable && (
            <>
              {schedule.kind === 'timetask' && has(owner, 'timetask_set_top') && (
                <LineAction
                  icon={IconArrowBarToUp}
                  label={t('set-top')}
                  name={schedule.name}
                  onClick={() => void top(schedule)}
                />
              )}
              {has(owner, EDIT[schedule.kind]) && (
                <LineAction icon={IconPencil} label={t('edit')} name={schedule.name} onClick={() => onEdit(schedule)} />
              )}
              {has(owner, DELETE[schedule.kind]) && (
                <LineAction
                  danger
                  icon={IconTrash}
                  label={t('delete')}
                  name={schedule.name}
                  onClick={() => {
                    forget()
                    setGoing(schedule)
                  }}
                />
              )}
            </>
          )
        }
      />
      {going && (
        <DeleteDialog
          name={going.name}
          action={{ busy, problem: refused?.text, reset: forget }}
          onDelete={() => void remove(going)}
          onClose={() => setGoing(undefined)}
        />
      )}
    </>
  )
}

function Outcome({ schedule }: { schedule: Listed }) {
  const writing = useWriting('task')
  return <span className={schedule.state === 'missed' ? styles.bad : undefined}>{outcome(schedule, writing)}</span>
}

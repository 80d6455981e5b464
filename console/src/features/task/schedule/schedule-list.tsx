/** The schedules of a robot: on or off, when next, and what has become of the newest. */
import { IconArrowBarToUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useMay } from '@/shared/session/session'
import { Loading, Nothing } from '@/shared/ui/query-view'
import { Table } from '@/shared/ui/table'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { LineAction } from '@/widgets/list/line-action'
import { Mirrored } from '../mirrored'
import { useRefusalNotice, useTell } from '../robot-link'
import { clockOf, DELETE, EDIT, floorsOf, type Listed, payloadOf, useSchedules } from '../schedules'
import { useDayNames } from './days'
import styles from './schedule.module.css'

interface Props {
  deviceId: number
  online: boolean
  zone: string
  onEdit(schedule: Listed): void
}

export function ScheduleList({ deviceId, online, zone, onEdit }: Props) {
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
  if (!read.rows) return read.error ? <Nothing role="alert" why={t('not-readable')} /> : <Loading />
  return (
    <>
      <Mirrored read={read} />
      {read.rows.length === 0 ? (
        <Nothing why={t('no-schedules')} />
      ) : (
        <Table
          label={t('schedules')}
          head={['schedule-on', 'name', 'days', 'start-time', 'forced-end', 'what', 'next', 'last-time'].map(
            (column) => (
              <th key={column} scope="col">
                {t(column as 'name')}
              </th>
            ),
          )}
        >
          {read.rows.map((schedule) => (
            <Row key={`${schedule.kind}/${schedule.name}`} schedule={schedule} zone={zone}>
              {{
                enable: (
                  <Switch
                    size="small"
                    checked={schedule.enable === 1}
                    disabled={!editable || busy}
                    aria-label={t('enable-named', { name: schedule.name })}
                    onChange={(on) => void enable(schedule, on)}
                  />
                ),
                actions: editable && (
                  <>
                    {schedule.kind === 'timetask' && (
                      <LineAction
                        icon={IconArrowBarToUp}
                        label={t('set-top')}
                        name={schedule.name}
                        onClick={() => void top(schedule)}
                      />
                    )}
                    <LineAction
                      icon={IconPencil}
                      label={t('edit')}
                      name={schedule.name}
                      onClick={() => onEdit(schedule)}
                    />
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
                  </>
                ),
              }}
            </Row>
          ))}
        </Table>
      )}
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

interface RowProps {
  schedule: Listed
  zone: string
  children: { enable: React.ReactNode; actions: React.ReactNode }
}

function Row({ schedule, zone, children }: RowProps) {
  const { t } = useTranslation('task')
  const { dateTime } = useFormats()
  const { names } = useDayNames()
  const floors = floorsOf(schedule)
    .map(({ map_name, task_list }) => `${map_name}: ${task_list.join(', ')}`)
    .join(' · ')
  const state = schedule.state && t(`state-${schedule.state as 'done'}`)
  const why = schedule.reason && t(`robot:no-${schedule.reason.replace(/[._]/g, '-')}` as 'robot:no-robot-off')
  return (
    <tr>
      <td>{children.enable}</td>
      <th scope="row">{schedule.name}</th>
      <td>{names(schedule.days)}</td>
      <td>{clockOf(schedule.start_time)}</td>
      <td>{schedule.forced_end === 1 && clockOf(schedule.end_time)}</td>
      <td className={styles.floors} title={floors}>
        {floors}
      </td>
      <td>{schedule.next ? dateTime(schedule.next, zone) : ''}</td>
      <td className={schedule.state === 'missed' ? styles.bad : undefined}>
        {[state, why].filter(Boolean).join(': ')}
      </td>
      <td data-actions>{children.actions}</td>
    </tr>
  )
}

/** The schedules of a robot: on or off, when next, and what has become of the newest. */
import { IconArrowBarToUp, IconPencil, IconTrash } from '@tabler/icons-react'
import { Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useMay } from '@/shared/rpc/session'
import { Loading, Nothing } from '@/shared/ui/shown'
import { Table } from '@/shared/ui/table'
import { DeleteDialog } from '@/widgets/delete-dialog'
import { LineDeed } from '@/widgets/line-deed'
import { Mirrored } from '../mirrored'
import { useSaid, useTell } from '../robot-link'
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
  const mine = may && read.from === 'robot'

  const enable = async (one: Listed, on: boolean) => {
    const label = t(on ? 'enable-named' : 'disable-named', { name: one.name })
    const order =
      one.kind === 'timetask'
        ? ({ command: 'timetask_enable', payload: { name: one.name, enable: on ? 1 : 0 }, label } as const)
        : { command: EDIT[one.kind], payload: { ...payloadOf(one), enable: on ? 1 : 0 }, label }
    await tell(order, one)
  }
  const top = (one: Listed) =>
    tell({ command: 'timetask_set_top', payload: { name: one.name }, label: t('top-named', { name: one.name }) }, one)
  const remove = async (one: Listed) => {
    const label = t('delete-named', { name: one.name })
    const order = { command: DELETE[one.kind], payload: { name: one.name }, label }
    if (await tell(order, { ...one, gone: true })) setGoing(undefined)
  }
  useSaid(going ? undefined : refused)
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
          {read.rows.map((one) => (
            <Row key={`${one.kind}/${one.name}`} one={one} zone={zone}>
              {{
                enable: (
                  <Switch
                    size="small"
                    checked={one.enable === 1}
                    disabled={!mine || busy}
                    aria-label={t('enable-named', { name: one.name })}
                    onChange={(on) => void enable(one, on)}
                  />
                ),
                deeds: mine && (
                  <>
                    {one.kind === 'timetask' && (
                      <LineDeed
                        icon={IconArrowBarToUp}
                        label={t('set-top')}
                        name={one.name}
                        onClick={() => void top(one)}
                      />
                    )}
                    <LineDeed icon={IconPencil} label={t('edit')} name={one.name} onClick={() => onEdit(one)} />
                    <LineDeed
                      danger
                      icon={IconTrash}
                      label={t('delete')}
                      name={one.name}
                      onClick={() => {
                        forget()
                        setGoing(one)
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
          deed={{ busy, problem: refused?.text, reset: forget }}
          onDelete={() => void remove(going)}
          onClose={() => setGoing(undefined)}
        />
      )}
    </>
  )
}

interface RowProps {
  one: Listed
  zone: string
  children: { enable: React.ReactNode; deeds: React.ReactNode }
}

function Row({ one, zone, children }: RowProps) {
  const { t } = useTranslation('task')
  const { dateTime } = useFormats()
  const { names } = useDayNames()
  const what = floorsOf(one)
    .map(({ map_name, task_list }) => `${map_name}: ${task_list.join(', ')}`)
    .join(' · ')
  const state = one.state && t(`state-${one.state as 'done'}`)
  const why = one.reason && t(`robot:no-${one.reason.replace(/[._]/g, '-')}` as 'robot:no-robot-off')
  return (
    <tr>
      <td>{children.enable}</td>
      <th scope="row">{one.name}</th>
      <td>{names(one.days)}</td>
      <td>{clockOf(one.start_time)}</td>
      <td>{one.forced_end === 1 && clockOf(one.end_time)}</td>
      <td className={styles.what} title={what}>
        {what}
      </td>
      <td>{one.next ? dateTime(one.next, zone) : ''}</td>
      <td className={one.state === 'missed' ? styles.bad : undefined}>{[state, why].filter(Boolean).join(': ')}</td>
      <td data-deeds>{children.deeds}</td>
    </tr>
  )
}

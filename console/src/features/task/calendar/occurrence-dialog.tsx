/** One occurrence in full: what became of it and why, its tasks with their reports, and what can be done about it. */

import { Button } from 'antd'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { reportPath } from '@/widgets/paths'
import { useOnline } from '@/widgets/robot/online'
import { type Commanded, has } from '@/widgets/robot/robot'
import { useTell } from '../robot-link'
import { EDIT, type Listed, payloadOf, useSchedules } from '../schedules'
import styles from './occurrence.module.css'
import type { Occurrence } from './week'

interface Props {
  occurrence: Occurrence
  robot: Commanded
  zone: string
  onEdit(schedule: Listed): void
  onMove(): void
  onClose(): void
}

const UNDER_WAY: readonly Occurrence['state'][] = ['waiting', 'charging', 'running']
const OPEN: readonly Occurrence['state'][] = ['planned', 'skipped', 'unheard', ...UNDER_WAY]

export function OccurrenceDialog({ occurrence, robot, zone, onEdit, onMove, onClose }: Props) {
  const { t } = useTranslation('task')
  const { dateTime, time, percent, span } = useFormats()
  const { deviceId, deviceCode, schedule, kind, state, reason, conflict, units, seconds, end } = occurrence
  const may = useMay('device/taskList')
  const edits = may && has(robot, EDIT[kind])
  const reports = useMay('device/report')
  const online = useOnline(deviceId)
  const schedules = useSchedules(deviceId, online)
  const { tell, busy, refused } = useTell(deviceId)
  const own = schedules.rows?.find((listed) => listed.name === schedule && listed.kind === kind)
  const start = Date.parse(occurrence.start)
  const reported = !OPEN.includes(state) && units.some((unit) => unit.taskReportId !== null)
  const why = (key: string) => textOr(t, `robot:no-${key.replace(/[._]/g, '-')}`, key)
  const blocked = online ? '' : t('robot:no-robot-off')

  const skip = async (on: boolean) => {
    if (!own) return
    const others = own.skips.filter((skipped) => skipped !== occurrence.day)
    const skips = on ? [...others, occurrence.day] : others
    const label = t(on ? 'skip-named' : 'unskip-named', { name: schedule })
    const order = { command: EDIT[kind], payload: { ...payloadOf(own), skips }, label }
    if (await tell(order, { kind, name: schedule })) onClose()
  }
  const cancel = async () => {
    const label = t('cancel-named', { name: schedule })
    if (await tell({ command: 'timetask_cancel', payload: { name: schedule }, label })) onClose()
  }
  return (
    <Modal
      open
      title={schedule}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          {edits && own && <Button onClick={() => onEdit(own)}>{t('edit-schedule')}</Button>}
          {edits && own && state === 'planned' && (
            <Button disabled={!online} title={blocked} onClick={onMove}>
              {t('move-this')}
            </Button>
          )}
          {edits && own && (state === 'planned' || state === 'skipped') && (
            <Button loading={busy} disabled={!online} title={blocked} onClick={() => void skip(state === 'planned')}>
              {t(state === 'planned' ? 'skip-this' : 'unskip-this')}
            </Button>
          )}
          {may && has(robot, 'timetask_cancel') && UNDER_WAY.includes(state) && (
            <Button danger loading={busy} disabled={!online} title={blocked} onClick={() => void cancel()}>
              {t('cancel-this')}
            </Button>
          )}
        </>
      }
      onCancel={onClose}
    >
      <dl className={styles.facts}>
        <dt>{t('robot')}</dt>
        <dd>{deviceCode}</dd>
        <dt>{t('start-time')}</dt>
        <dd>
          {dateTime(start, zone)}
          {seconds > 0 && <span>{t(reported ? 'took' : 'takes-about', { time: span(seconds * 1000) })}</span>}
        </dd>
        {end && (
          <>
            <dt>{t('forced-end')}</dt>
            <dd>{time(Date.parse(end), zone)}</dd>
          </>
        )}
        <dt>{t('state')}</dt>
        <dd>
          {t(`state-${state}`)}
          {reason && `: ${why(reason)}`}
        </dd>
      </dl>
      {conflict && <Problem text={t(`conflict-${conflict}`)} />}
      <ul className={styles.units} aria-label={t('tasks')}>
        {units.map((unit) => (
          <li key={`${unit.mapName}/${unit.task}`}>
            <span>
              <b>{unit.task}</b> <bdi>{unit.mapName}</bdi>
              {unit.reason && <em>{why(unit.reason)}</em>}
            </span>
            {unit.coverage !== null && <span>{percent(unit.coverage)}</span>}
            {reports && unit.taskReportId !== null && <Link to={reportPath(unit.taskReportId)}>{t('report')}</Link>}
          </li>
        ))}
      </ul>
      {may && !online && (
        <Text size="small" tone="soft" above="m">
          {t('offline-read-only')}
        </Text>
      )}
      {refused && <Problem text={refused.text} />}
    </Modal>
  )
}

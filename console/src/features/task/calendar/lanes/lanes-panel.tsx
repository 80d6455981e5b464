/** One day of a building, robots and elevators: what was and will be when, and how two that want one lift are set apart. */

import { IconElevator } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Panel } from '@/shared/ui/panel'
import { Problem } from '@/widgets/form/field'
import { useOnline } from '@/widgets/robot/online'
import { has } from '@/widgets/robot/robot'
import { useDayNames } from '@/widgets/week'
import { useTell } from '../../robot-link'
import { clockOf, EDIT, payloadOf, useSchedules } from '../../schedules'
import { dayMs } from '../days'
import type { Calendar, Robot, Tone } from '../week'
import { at, type Lane, labelOf, lanesOf, type Ride, ticks } from './lanes'
import styles from './lanes.module.css'

interface Props {
  calendar: Calendar
  day: string
  zone: string
  now: number
  tones: ReadonlyMap<string, Tone>
  modeOf(deviceId: number): Mode | undefined
}

const ROW_PX = 30

const placed = (moment: number, from: number, until: number) => ({ insetInlineStart: `${at(moment, from, until)}%` })

const keyOf = (ride: Ride) => `${ride.deviceId}/${ride.schedule}/${ride.start}`

export function LanesPanel({ calendar, day, zone, now, tones, modeOf }: Props) {
  const { t } = useTranslation('task')
  const { weekday, time } = useFormats()
  const [waits, setWaits] = useState<ReadonlySet<string>>(new Set())
  const { lanes, clashes, from, until } = lanesOf(calendar, day, zone, tones)
  if (lanes.length === 0) return null
  const open = clashes.find((ride) => !waits.has(keyOf(ride)))
  const when = (moment: string) => time(Date.parse(moment), zone)
  return (
    <Panel
      title={t('day-lanes', { day: weekday(dayMs(day)) })}
      {...(open && {
        extra: (
          <RideActions ride={open} robots={calendar.robots} onWait={() => setWaits(new Set([...waits, keyOf(open)]))} />
        ),
      })}
    >
      <div className={styles.chart} dir="ltr">
        <div className={styles.axis} aria-hidden="true">
          {ticks(from, until).map((moment) => (
            <span key={moment} data-last={moment === until || undefined} style={placed(moment, from, until)}>
              {time(moment, zone)}
            </span>
          ))}
        </div>
        <div className={styles.lines} aria-hidden="true">
          {ticks(from, until).map((moment) => (
            <i key={moment} style={placed(moment, from, until)} />
          ))}
          {from <= now && now < until && <i data-now style={placed(now, from, until)} />}
        </div>
        <ul className={styles.lanes} aria-label={t('robots-and-elevators')}>
          {lanes.map((lane) => (
            <LaneRow key={lane.key} {...{ lane, from, until, zone }} mode={lane.deviceId && modeOf(lane.deviceId)} />
          ))}
        </ul>
      </div>
      <div className={styles.title}>
        {clashes.map((ride) => (
          <p key={keyOf(ride)} data-open={!waits.has(keyOf(ride)) || undefined}>
            <b>
              {t('elevator-twice', {
                elevator: ride.elevatorName,
                robot: ride.otherCode,
                other: ride.deviceCode,
                time: when(ride.start),
              })}
            </b>{' '}
            {t(waits.has(keyOf(ride)) ? 'waits-minutes' : 'would-wait', {
              robot: ride.deviceCode,
              number: Math.ceil(ride.wait / 60),
            })}
          </p>
        ))}
      </div>
    </Panel>
  )
}

interface RowProps {
  lane: Lane
  from: number
  until: number
  zone: string
  mode: Mode | 0 | undefined
}

function LaneRow({ lane, from, until, zone, mode }: RowProps) {
  const { t } = useTranslation('task')
  const { time } = useFormats()
  return (
    <li style={{ blockSize: 6 + ROW_PX * lane.rows }}>
      <Row as="span" gap="m" align="center" className={styles.name}>
        {lane.deviceId === undefined ? (
          <IconElevator size={18} aria-hidden="true" />
        ) : (
          mode && <StateMark state={mode} size={16} label={t(MODE_WORD[mode])} />
        )}
        <span data-strong={lane.deviceId === undefined || undefined}>{lane.name}</span>
      </Row>
      <ul className={styles.spans}>
        {lane.spans
          .filter((span) => span.until > from && span.from < until)
          .map((span) => {
            const title = `${time(span.from, zone)}–${time(span.until, zone)} ${span.label}${span.clash ? `, ${t('conflict')}` : ''}`
            const [left, right] = [at(span.from, from, until), at(span.until, from, until)]
            const [since, next] = span.room
            const { side, room } = labelOf([left, right], [at(since, from, until), at(next, from, until)])
            return (
              <li
                key={span.key}
                title={title}
                data-tone={span.tone}
                data-look={span.look}
                data-clash={span.clash || undefined}
                data-lift={lane.deviceId === undefined || undefined}
                style={{ insetInlineStart: `${left}%`, inlineSize: `${right - left}%`, top: 5 + ROW_PX * span.row }}
              >
                {lane.deviceId !== undefined && (
                  <span
                    aria-hidden="true"
                    className={styles.label}
                    data-side={side}
                    style={{ inlineSize: `calc(${room * (right - left)}cqi - 14px)` }} // a short span is wider than its time
                  >
                    {span.label}
                  </span>
                )}
                <span className="unseen">{title}</span>
              </li>
            )
          })}
      </ul>
    </li>
  )
}

/** Whoever would wait begins later from now on, or waits. */
function RideActions({ ride, robots, onWait }: { ride: Ride; robots: readonly Robot[]; onWait(): void }) {
  const { t } = useTranslation('task')
  const may = useMay('device/taskList')
  const { deviceId, kind, schedule, deviceCode, moveTo } = ride
  const robot = robots.find((candidate) => candidate.deviceId === deviceId)
  const online = useOnline(deviceId)
  const schedules = useSchedules(deviceId, online)
  const own = schedules.rows?.find((listed) => listed.name === schedule && listed.kind === kind)
  const { tell, busy, refused } = useTell(deviceId)
  const { names } = useDayNames()
  const [asking, ask] = useState(false)
  const move = async () => {
    if (!own) return
    const payload = { ...payloadOf(own), start_time: moveTo }
    const label = t('move-to', { robot: deviceCode, time: clockOf(moveTo) })
    if (await tell({ command: EDIT[kind], payload, label }, { kind, name: schedule })) ask(false)
  }
  const stale = schedules.from !== 'robot'
  return (
    <Row wrap gap="m" align="center">
      {may && moveTo && robot && has(robot, EDIT[kind]) && (
        <Button
          type="primary"
          size="small"
          disabled={!own || stale}
          title={stale ? t('offline-read-only') : undefined}
          onClick={() => ask(true)}
        >
          {t('move-to', { robot: deviceCode, time: clockOf(moveTo) })}
        </Button>
      )}
      <Button size="small" onClick={onWait}>
        {t('let-wait')}
      </Button>
      {asking && own && (
        <Modal
          open
          title={t('move-to', { robot: deviceCode, time: clockOf(moveTo) })}
          okText={t('move')}
          cancelText={t('cancel')}
          okButtonProps={{ loading: busy }}
          onOk={() => void move()}
          onCancel={() => ask(false)}
        >
          <p>{t('move-days', { name: schedule, from: clockOf(own.start_time), days: names(own.days) })}</p>
          <p>{t('move-all', { to: clockOf(moveTo) })}</p>
          <Text tone="quiet">{t('move-only')}</Text>
          {refused && <Problem text={refused.text} />}
        </Modal>
      )}
    </Row>
  )
}

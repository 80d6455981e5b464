/** Robots down, days across: a table, so that it reads aloud as one. */
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import { Cell, type Dragged } from './cell'
import { dayMs, daysBetween } from './days'
import styles from './grid.module.css'
import { cells, type Occurrence, type OtherRun, type Robot, type Tone } from './week'

export interface GridProps {
  label: string
  days: readonly string[]
  today: string
  zone: string
  robots: readonly Robot[]
  list: readonly Occurrence[]
  runs: readonly OtherRun[]
  tones: ReadonlyMap<string, Tone>
  modeOf(deviceId: number): Mode | undefined
  robotPath(deviceId: number): string
  onOpen(occurrence: Occurrence): void
  /** The day whose lanes are shown, where there are any. */
  chosen?: string
  onDay?(day: string): void
  now: number
  /** A new schedule of that robot, where it takes any. */
  onAdd?: ((robot: Robot, day: string) => void) | undefined
  /** How many days later the pointer left what it took. */
  onMove?: ((occurrence: Occurrence, days: number) => void) | undefined
}

const HALTED: readonly (Mode | undefined)[] = ['paused', 'emergency', 'manual', 'help']

export const isHalted = (mode: Mode | undefined) => HALTED.includes(mode)

export function Grid(props: GridProps) {
  const { label, days, today, now, zone, robots, list, runs, tones, modeOf, robotPath, onOpen, onAdd, onMove } = props
  const { t } = useTranslation('task')
  const { weekday } = useFormats()
  const { chosen, onDay } = props
  const [dragged, drag] = useState<Dragged>()
  const byCell = cells(list, zone)
  const others = cells(runs, zone)
  const column = useRef<HTMLTableCellElement>(null)
  // on a narrow screen the week is wider than what is shown of it
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each week that is shown
  useEffect(() => {
    column.current?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
  }, [days[0], days.length])
  return (
    <div className={styles.box}>
      <table className={styles.grid} aria-label={label} data-days={days.length}>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{t('robot')}</span>
            </th>
            {days.map((day) => (
              <th key={day} scope="col" data-today={day === today || undefined} ref={day === today ? column : null}>
                {onDay ? (
                  <button type="button" aria-pressed={day === chosen} onClick={() => onDay(day)}>
                    {weekday(dayMs(day))}
                  </button>
                ) : (
                  weekday(dayMs(day))
                )}{' '}
                {day === today && <span className={styles.today}>{t('today')}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {robots.map((robot) => {
            const mode = modeOf(robot.deviceId)
            return (
              <tr key={robot.deviceId}>
                <th scope="row">
                  <Row as="span" gap="m" align="center" className={styles.robot}>
                    {mode && <StateMark state={mode} label={t(MODE_WORD[mode])} />}
                    <span>
                      <Link to={robotPath(robot.deviceId)} title={robot.deviceCode}>
                        {robot.deviceCode}
                      </Link>
                      <span>{robot.typeName}</span>
                    </span>
                  </Row>
                </th>
                {days.map((day) => {
                  const takes = dragged?.occurrence.deviceId === robot.deviceId && day >= today
                  return (
                    <td
                      key={day}
                      data-today={day === today || undefined}
                      data-takes={takes || undefined}
                      {...(takes && {
                        onDragOver: (event: DragEvent) => event.preventDefault(),
                        onDrop: (event: DragEvent) => {
                          event.preventDefault()
                          drag(undefined)
                          if (day !== dragged.day) onMove?.(dragged.occurrence, daysBetween(dragged.day, day))
                        },
                      })}
                    >
                      <Cell
                        {...{ robot, day, today, now, zone, tones, onOpen, onAdd }}
                        list={byCell.get(`${robot.deviceId}/${day}`) ?? []}
                        runs={others.get(`${robot.deviceId}/${day}`) ?? []}
                        halted={isHalted(mode)}
                        onDrag={onMove && drag}
                      />
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** A day of a robot: what it did and will do, in the order of starts, and how late it is now. */
import { IconPlus } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Block, RunBlock } from './block'
import { dayMs } from './days'
import styles from './grid.module.css'
import { keyOf, mapOf, type Occurrence, type OtherRun, type Robot, type Tone } from './week'

const MOST_RUNS = 3 // without a schedule, the latest; a robot that is sent by hand all day has dozens

/** What the pointer takes along. */
export interface Dragged {
  readonly occurrence: Occurrence
  readonly day: string
}

export interface CellProps {
  robot: Robot
  day: string
  today: string
  now: number
  zone: string
  list: readonly Occurrence[]
  runs: readonly OtherRun[]
  tones: ReadonlyMap<string, Tone>
  halted: boolean
  onOpen(occurrence: Occurrence): void
  /** Where the robot's schedules may be changed. */
  onAdd?: ((robot: Robot, day: string) => void) | undefined
  onDrag?: ((dragged: Dragged | undefined) => void) | undefined
}

type Item = { readonly start: string } & (
  | { readonly key: string; readonly occurrence: Occurrence }
  | { readonly key: string; readonly run: OtherRun }
)

export function Cell({ robot, day, today, now, zone, list, runs, tones, halted, onOpen, onAdd, onDrag }: CellProps) {
  const { t } = useTranslation('task')
  const { weekday } = useFormats()
  const [whole, setWhole] = useState(false)
  const earlier = whole ? 0 : Math.max(0, runs.length - MOST_RUNS)
  const latest = runs.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start)).slice(earlier)
  const items: readonly Item[] = [
    ...list.map((occurrence) => ({ key: keyOf(occurrence), start: occurrence.start, occurrence })),
    ...latest.map((run) => ({ key: `run/${run.taskReportId}`, start: run.start, run })),
  ].sort((a, b) => Date.parse(a.start) - Date.parse(b.start))
  const next = items.findIndex(({ start }) => Date.parse(start) > now)
  const line = day === today && items.length > 0 && <li className={styles.now} aria-hidden="true" />
  const add = t('schedule-at', { robot: robot.deviceCode, day: weekday(dayMs(day)) })
  return (
    <>
      <ul>
        {earlier > 0 && (
          <li>
            <button type="button" className={styles.earlier} onClick={() => setWhole(true)}>
              {t('runs-earlier', { count: earlier })}
              <span className="unseen">, {t('without-schedule')}</span>
            </button>
          </li>
        )}
        {items.map((item, n) => (
          <Fragment key={item.key}>
            {n === next && line}
            <li>
              {'run' in item ? (
                <RunBlock run={item.run} zone={zone} />
              ) : (
                <Block
                  occurrence={item.occurrence}
                  zone={zone}
                  tone={tones.get(mapOf(item.occurrence)) ?? 'idle'}
                  halted={halted}
                  onOpen={() => onOpen(item.occurrence)}
                  onDrag={
                    onDrag && item.occurrence.state === 'planned'
                      ? (on) => onDrag(on ? { occurrence: item.occurrence, day } : undefined)
                      : undefined
                  }
                />
              )}
            </li>
          </Fragment>
        ))}
        {next < 0 && line}
      </ul>
      {onAdd && day >= today && (
        <button type="button" className={styles.add} aria-label={add} title={add} onClick={() => onAdd(robot, day)}>
          <IconPlus size={14} aria-hidden="true" />
        </button>
      )}
    </>
  )
}

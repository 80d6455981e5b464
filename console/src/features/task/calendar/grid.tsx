/** Robots down, days across: a table, so that it reads aloud as one. */
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import { Block } from './block'
import { dayMs } from './days'
import styles from './grid.module.css'
import { cells, keyOf, mapOf, type Occurrence, type Robot, type Tone } from './week'

interface Props {
  label: string
  days: readonly string[]
  today: string
  zone: string
  robots: readonly Robot[]
  list: readonly Occurrence[]
  tones: ReadonlyMap<string, Tone>
  modeOf(deviceId: number): Mode | undefined
  robotPath(deviceId: number): string
  onOpen(occurrence: Occurrence): void
  /** The day whose lanes are shown, where there are any. */
  chosen?: string
  onDay?(day: string): void
}

const HALTED: readonly (Mode | undefined)[] = ['paused', 'emergency', 'manual', 'help']

export const isHalted = (mode: Mode | undefined) => HALTED.includes(mode)

export function Grid({ label, days, today, zone, robots, list, tones, modeOf, robotPath, onOpen, ...rest }: Props) {
  const { t } = useTranslation('task')
  const { weekday } = useFormats()
  const { chosen, onDay } = rest
  const byCell = cells(list, zone)
  const now = useRef<HTMLTableCellElement>(null)
  // on a narrow screen the week is wider than what is shown of it
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each week that is shown
  useEffect(() => {
    now.current?.scrollIntoView?.({ inline: 'nearest', block: 'nearest' })
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
              <th key={day} scope="col" data-today={day === today || undefined} ref={day === today ? now : null}>
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
                {days.map((day) => (
                  <td key={day} data-today={day === today || undefined}>
                    <ul>
                      {(byCell.get(`${robot.deviceId}/${day}`) ?? []).map((occurrence) => (
                        <li key={keyOf(occurrence)}>
                          <Block
                            occurrence={occurrence}
                            zone={zone}
                            tone={tones.get(mapOf(occurrence)) ?? 'idle'}
                            halted={isHalted(mode)}
                            onOpen={() => onOpen(occurrence)}
                          />
                        </li>
                      ))}
                    </ul>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** One occurrence in the calendar: when, what, and how it went or stands. Its look is said in words as well. */
import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconBolt,
  IconCircleOff,
  IconClock,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { reportPath } from '@/widgets/paths'
import styles from './block.module.css'
import { coverageOf, type Look, lookOf, type Occurrence, type OtherRun, type Tone } from './week'

const MARKS: Readonly<Partial<Record<Look, Icon>>> = {
  skipped: IconBan,
  running: IconPlayerPlay,
  stopped: IconPlayerPause,
  broken: IconPlayerStop,
  missed: IconCircleOff,
  conflict: IconAlertTriangle,
}

const markOf = (look: Look, { state }: Occurrence) => {
  if (look === 'running' && state === 'charging') return IconBolt
  return look === 'stopped' && state === 'waiting' ? IconClock : MARKS[look]
}

interface Props {
  occurrence: Occurrence
  zone: string
  tone: Tone
  halted: boolean
  onOpen(): void
  /** Where it may be moved. */
  onDrag?: ((on: boolean) => void) | undefined
}

export function Block({ occurrence, zone, tone, halted, onOpen, onDrag }: Props) {
  const { t } = useTranslation('task')
  const { time, number } = useFormats()
  const look = lookOf(occurrence, halted)
  const coverage = look === 'past' || look === 'broken' ? coverageOf(occurrence) : undefined
  const at = time(Date.parse(occurrence.start), zone)
  const word = occurrence.conflict
    ? t('conflict')
    : t(`state-${halted && look === 'stopped' ? 'halted' : occurrence.state}`)
  const Mark = markOf(look, occurrence)
  return (
    <button
      type="button"
      className={styles.block}
      data-look={look}
      data-tone={tone}
      title={`${at} ${occurrence.schedule}, ${word}`}
      onClick={onOpen}
      draggable={onDrag !== undefined}
      onDragStart={() => onDrag?.(true)}
      onDragEnd={() => onDrag?.(false)}
    >
      {Mark && <Mark size={13} stroke={2.2} aria-hidden="true" />}
      <b>{at}</b>{' '}
      <span className={styles.name}>
        <bdi>{occurrence.schedule}</bdi>
      </span>
      <span className="unseen">, {word}</span>
      {coverage !== undefined && (
        <Text as="span" tone="quiet" className={styles.coverage}>
          <span className="unseen">, {t('coverage')} </span>
          {number(coverage * 100)}
        </Text>
      )}
    </button>
  )
}

/** A run that somebody started by hand: thinner than what a schedule began, and the way to its report. */
export function RunBlock({ run, zone }: { run: OtherRun; zone: string }) {
  const { t } = useTranslation('task')
  const { time } = useFormats()
  const at = time(Date.parse(run.start), zone)
  const name = run.task || run.mapName
  return (
    <Link className={styles.run} to={reportPath(run.taskReportId)} title={`${at} ${name}, ${t('without-schedule')}`}>
      {at}{' '}
      <span className={styles.name}>
        <bdi>{name}</bdi>
      </span>
      <span className="unseen">, {t('without-schedule')}</span>
    </Link>
  )
}

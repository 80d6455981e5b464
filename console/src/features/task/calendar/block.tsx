/** One occurrence in the calendar: when, what, and how it went or stands. Its look is told in words as well. */
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
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import styles from './block.module.css'
import { coverageOf, type Look, lookOf, type Occurrence, type Tone } from './week'

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
}

export function Block({ occurrence, zone, tone, halted, onOpen }: Props) {
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

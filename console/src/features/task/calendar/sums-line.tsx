/** What the shown time holds, in numbers; what stands apart can be looked at alone. And which colour is which map. */

import { useFormats } from '@/shared/i18n/format'
import { textOr, useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { StateMark } from '@/shared/marks/state-mark'
import { Row, Text } from '@/shared/ui/layout'
import styles from './calendar.module.css'
import { NOTES, type Note, type Sums, type Tone } from './week'

const MARK = { conflict: 'help', missed: 'offline', stopped: 'paused' } as const satisfies Record<Note, Mode>

interface Props {
  sums: Sums
  only: Note | undefined
  tones: ReadonlyMap<string, Tone>
  onOnly(note: Note | undefined): void
}

export function SumsLine({ sums, only, tones, onOnly }: Props) {
  const { t } = useTranslation('task')
  const { duration } = useFormats()
  const why = sums.why && textOr(t, `robot:no-${sums.why.replace(/[._]/g, '-')}`, sums.why)
  return (
    <Row wrap gap="xl" lines="xs" align="center" size="small" tone="quiet" className={styles.sums}>
      <span>{t('runs-past', { count: sums.past })}</span>
      <span>{t('runs-coming', { count: sums.coming })}</span>
      <span>{t('of-cleaning', { time: duration(Math.round(sums.seconds / 60) * 60) })}</span>
      {NOTES.filter((note) => sums.notes[note] > 0 || only === note).map((note) => (
        <button
          key={note}
          type="button"
          aria-pressed={only === note}
          onClick={() => onOnly(only === note ? undefined : note)}
        >
          <StateMark state={MARK[note]} size={14} />
          {t(`count-${note}`, { number: sums.notes[note] })}
          {note === 'missed' && why && ` · ${why}`}
        </button>
      ))}
      <Text as="span" size="small" tone="soft">
        {t('past-coverage')}
      </Text>
      <Row as="ul" wrap gap="panel" lines="xs" end className={styles.legend} aria-label={t('maps')}>
        {[...tones].map(([map, tone]) => (
          <Row as="li" gap="xs" align="center" key={map}>
            <i style={{ background: `var(--state-${tone})` }} />
            <bdi>{map}</bdi>
          </Row>
        ))}
      </Row>
    </Row>
  )
}

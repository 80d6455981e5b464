/** States as segments with their counts, and the switch between cards and table. */
import { IconLayoutGrid, IconList } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { MODES, type Mode } from '@/shared/live/frames'
import { MODE_WORD } from '@/shared/ui/mode'
import { StateMark } from '@/shared/ui/state-mark'
import type { Filters } from './filters'
import styles from './toolbar.module.css'

const ColumnChooser = lazy(async () => ({ default: (await import('./column-chooser')).ColumnChooser }))
const Views = lazy(async () => ({ default: (await import('./views')).Views }))

/** These carry their word; the others a mark with a label. */
const WORDED: ReadonlySet<Mode> = new Set(['help', 'emergency', 'paused', 'cleaning'])

interface Props {
  filters: Filters
  onChange(filters: Filters): void
  counts: Readonly<Partial<Record<Mode, number>>> | undefined
}

export function StateFilter({ filters, onChange, counts }: Props) {
  const { t } = useTranslation('device')
  const { number } = useFormats()
  const latest = useRef(counts)
  if (counts) latest.current = counts // the old counts stay while a new answer is on its way
  const known = latest.current ?? {}
  const total = Object.values(known).reduce((sum, n) => sum + (n ?? 0), 0)
  const modes = MODES.filter((mode) => known[mode] || filters.mode === mode)
  return (
    <div className={styles.states}>
      <fieldset className={styles.segments}>
        <legend>{t('states')}</legend>
        <Segment on={filters.mode === undefined} choose={() => onChange({ ...filters, mode: undefined })}>
          {t('all', { count: total })}
        </Segment>
        {modes.map((mode) => (
          <Segment key={mode} on={filters.mode === mode} choose={() => onChange({ ...filters, mode })}>
            {WORDED.has(mode) ? (
              <>
                <StateMark state={mode} size={14} /> {t(MODE_WORD[mode])}
              </>
            ) : (
              <StateMark state={mode} size={14} label={t(MODE_WORD[mode])} />
            )}{' '}
            {number(known[mode] ?? 0)}
          </Segment>
        ))}
      </fieldset>
      <Suspense>
        <Views filters={filters} onChange={onChange} />
      </Suspense>
      <span className={styles.order}>{t('sorted-by-need')}</span>
      <Suspense>{filters.view === 'table' && <ColumnChooser />}</Suspense>
      <fieldset className={styles.segments}>
        <legend>{t('view')}</legend>
        <Segment
          on={filters.view === 'cards'}
          choose={() => onChange({ ...filters, view: 'cards' })}
          label={t('cards')}
        >
          <IconLayoutGrid size={15} stroke={1.75} />
        </Segment>
        <Segment
          on={filters.view === 'table'}
          choose={() => onChange({ ...filters, view: 'table' })}
          label={t('table')}
        >
          <IconList size={15} stroke={1.75} />
        </Segment>
      </fieldset>
    </div>
  )
}

interface SegmentProps {
  on: boolean
  choose(): void
  label?: string
  children: ReactNode
}

function Segment({ on, choose, label, children }: SegmentProps) {
  return (
    <button type="button" aria-pressed={on} onClick={choose} {...(label && { 'aria-label': label, title: label })}>
      {children}
    </button>
  )
}

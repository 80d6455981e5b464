/** States as segments with their counts, and the switch between cards and table. */
import { lazy, Suspense, useRef } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { type Pack, useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { MODES } from '@/shared/live/telemetry'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import { type Layout, LayoutChoice } from '@/widgets/list/tools/layout-choice'
import type { Filters } from './filters'
import styles from './toolbar.module.css'

const ColumnMenu = lazy(async () => {
  const [{ ColumnMenu: Menu }, { COLUMNS }] = await Promise.all([
    import('@/widgets/list/tools/column-menu'),
    import('../columns'),
  ])
  return {
    default: () => {
      const { t } = useTranslation<Pack>('device')
      return <Menu name="device" size="small" columns={COLUMNS} label={(column) => t(column.label)} />
    },
  }
})
const ViewMenu = lazy(async () => ({ default: (await import('@/widgets/list/tools/view-menu')).ViewMenu }))

/** These carry their word; the others a mark with a label. */
const WORDED: ReadonlySet<Mode> = new Set(['help', 'emergency', 'paused', 'cleaning'])

interface Props {
  mode: Mode | undefined
  layout: Layout
  sorted: boolean
  onChange(part: Pick<Filters, 'mode'>): void
  onLayout(layout: Layout): void
  counts: Readonly<Partial<Record<Mode, number>>> | undefined
}

export function StateFilter({ mode: chosen, layout, sorted, onChange, onLayout, counts }: Props) {
  const { t } = useTranslation('device')
  const { number } = useFormats()
  const latest = useRef(counts)
  if (counts) latest.current = counts // the old counts stay while a new answer is on its way
  const known = latest.current ?? {}
  const total = Object.values(known).reduce((sum, n) => sum + (n ?? 0), 0)
  const modes = MODES.filter((mode) => known[mode] || chosen === mode)
  return (
    <Row wrap gap="m" align="center" size="control">
      <Segments label={t('states')}>
        <Segment on={chosen === undefined} onChoose={() => onChange({ mode: undefined })}>
          {t('all', { count: total })}
        </Segment>
        {modes.map((mode) => (
          <Segment key={mode} on={chosen === mode} onChoose={() => onChange({ mode })}>
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
      </Segments>
      <Suspense>
        <ViewMenu name="device" size="small" />
      </Suspense>
      <span className={styles.order}>{!sorted && t('sorted-by-need')}</span>
      <Suspense>{layout === 'table' && <ColumnMenu />}</Suspense>
      <LayoutChoice layout={layout} onChoose={onLayout} />
    </Row>
  )
}

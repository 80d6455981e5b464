/** /device/index: every robot of the account, who needs somebody first, as cards or as a table. */
import { IconArrowUp } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { useCounts, useShow } from '@/shared/live/live'
import type { Answer } from '@/shared/rpc/contract'
import { usePages } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Failed, Loading, Nothing } from '@/shared/ui/query-view'
import { useSelection } from '@/widgets/list/selection/selection'
import { useSteadyRows } from '@/widgets/list/steady-rows'
import type { Listed } from '@/widgets/robot/robot'
import { NextRuns } from '../next-runs'
import { Actions } from '../use-actions'
import { DeviceCards } from './device-cards'
import styles from './device-screen.module.css'
import { CardsSkeleton } from './skeleton'
import { PAGE } from './toolbar/filters'
import { StateFilter } from './toolbar/state-filter'
import { Toolbar } from './toolbar/toolbar'
import { useFilters } from './toolbar/use-filters'
import { useScroll } from './use-scroll'

const DeviceTable = lazy(async () => ({ default: (await import('./device-table')).DeviceTable }))
const ManyBar = lazy(async () => ({ default: (await import('./toolbar/selection-bar')).ManyBar }))

type Page = Answer<'/device/selectDevicePc'>

const idOf = ({ deviceId }: Listed) => deviceId

/** A robot whose need has changed may stand in two pages until both are asked for again. */
const distinct = (rows: readonly Listed[]) => [...new Map(rows.map((row) => [row.deviceId, row])).values()]

export function DeviceScreen() {
  const { t } = useTranslation('device')
  const { values, payload, narrowed, layout, sorted, change, reset, changeLayout } = useFilters()
  const pages = usePages('/device/selectDevicePc', payload, PAGE)
  const answers: readonly Page[] = pages.data?.pages ?? []
  const key = JSON.stringify(payload)
  const { rows, hold } = useSteadyRows(distinct(answers.flatMap((answer) => answer.list)), idOf, key)
  const selection = useSelection(key)
  const scroller = useRef<HTMLDivElement>(null)
  const more = () => {
    if (pages.hasNextPage && !pages.isFetching && !pages.isFetchNextPageError) void pages.fetchNextPage()
  }
  const { farDown, toTop } = useScroll(scroller, more, rows.length)
  useShow({ counts: true })
  useFollowNeeds(() => void pages.refetch())
  const listed = { rows, total: answers.at(-1)?.total ?? rows.length }
  return (
    <Actions>
      <div ref={scroller} className={styles.scroller} data-scroller>
        <Toolbar filters={values} payload={payload} onChange={change} />
        <StateFilter
          {...{ mode: values.mode, layout, sorted }}
          onChange={change}
          onLayout={changeLayout}
          counts={answers.at(-1)?.counts}
        />
        {pages.isPending && <Loading shape={<CardsSkeleton />} />}
        {pages.isError && rows.length === 0 && <Failed error={pages.error} retry={() => void pages.refetch()} />}
        {pages.isSuccess && rows.length === 0 && (
          <Nothing
            why={narrowed ? t('empty-search') : t('no-devices')}
            action={narrowed && <Button onClick={reset}>{t('shell:remove-filter')}</Button>}
          />
        )}
        <Suspense>
          {selection.ids.size > 0 && <ManyBar {...{ selection, payload }} loaded={rows.length} total={listed.total} />}
        </Suspense>
        {rows.length > 0 && (
          <NextRuns ids={rows.map(idOf)}>
            {layout === 'table' ? (
              <Suspense fallback={<Loading />}>
                <DeviceTable {...listed} {...{ selection, hold }} />
              </Suspense>
            ) : (
              <div {...hold}>
                <DeviceCards {...listed} scroller={scroller} />
              </div>
            )}
          </NextRuns>
        )}
        {pages.isFetchNextPageError && <Failed error={pages.error} retry={() => void pages.fetchNextPage()} />}
        {pages.isFetchingNextPage && (
          <Row role="status" as="p" justify="center" tone="soft">
            {t('loading-more')}
          </Row>
        )}
        {farDown && (
          <Button
            className={styles.top ?? ''}
            shape="circle"
            icon={<IconArrowUp size={18} stroke={1.75} />}
            aria-label={t('back-to-top')}
            title={t('back-to-top')}
            onClick={toTop}
          />
        )}
      </div>
    </Actions>
  )
}

/** The order is by need: when the number of robots that need somebody changes, the list is asked for again. */
function useFollowNeeds(refetch: () => void) {
  const modes = useCounts()?.modes
  const needs = modes && `${modes.help ?? 0}/${modes.emergency ?? 0}/${modes.paused ?? 0}/${modes.offline ?? 0}`
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (needs === undefined) return
    if (before.current !== undefined && before.current !== needs) refetch()
    before.current = needs
  })
}

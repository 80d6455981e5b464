/** /log: who did what, or was denied it, the newest first. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useCall } from '@/shared/rpc/hooks'
import { Page, Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { Foot } from '@/widgets/list/pages'
import { Chain } from './chain'
import { type Filters, NO_FILTER, narrowed, PAGE, payloadOf, readFilters, writeFilters } from './filters'
import styles from './log.module.css'
import { LogExport } from './log-export'
import { LogFilters } from './log-filters'
import { LogTable } from './log-table'

export function LogScreen() {
  const { t } = useTranslation('log')
  const [query, setQuery] = useSearchParams()
  const filters = readFilters(query)
  const change = (next: Filters) => setQuery(writeFilters(next))
  const rows = useCall(
    '/log/list',
    { ...payloadOf(filters), currentPage: filters.page, pageSize: PAGE },
    { keep: true, staleTime: 0 },
  )
  const total = rows.data?.total ?? 0
  return (
    <Page>
      <div className={styles.bar}>
        <LogFilters filters={filters} onChange={change} />
        <LogExport filters={filters} disabled={total === 0} />
      </div>
      <Chain />
      <QueryView
        query={rows}
        isEmpty={({ list }) => list.length === 0}
        empty={
          narrowed(filters) ? (
            <Nothing
              why={t('empty-search')}
              action={<Button onClick={() => change(NO_FILTER)}>{t('remove-filter')}</Button>}
            />
          ) : (
            <Nothing why={t('no-log')} />
          )
        }
      >
        {({ list }) => (
          <Panel className={styles.list}>
            <LogTable rows={list} onNarrow={(part) => change({ ...filters, ...part, page: 1 })} />
            <Foot
              count={t('count-results', { count: total })}
              page={filters.page}
              size={PAGE}
              total={total}
              onPage={(page) => change({ ...filters, page })}
            />
          </Panel>
        )}
      </QueryView>
    </Page>
  )
}

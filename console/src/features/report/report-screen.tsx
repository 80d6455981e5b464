/** /device/report: every run with its figures and the floor that it painted. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { raw } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'
import { Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { ExportButton } from '@/widgets/list/export-button'
import { Foot } from '@/widgets/list/pages'
import { type Filters, NO_FILTER, narrowed, PAGE, payloadOf, readFilters, writeFilters } from './filters'
import { ReportFilters } from './report-filters'
import styles from './report-screen.module.css'
import { ReportTable } from './report-table'

const REFRESH_MS = 30_000 // running reports grow

export function ReportScreen() {
  const { t } = useTranslation('report')
  const [query, setQuery] = useSearchParams()
  const filters = readFilters(query)
  const change = (next: Filters) => setQuery(writeFilters(next))
  const reports = useCall(
    '/taskReport/list',
    { ...payloadOf(filters), currentPage: filters.page, pageSize: PAGE },
    { keep: true, refetchInterval: REFRESH_MS },
  )
  const total: number = reports.data?.total ?? 0
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <ReportFilters filters={filters} onChange={change} />
        <Export filters={filters} disabled={total === 0} />
      </div>
      <QueryView
        query={reports}
        isEmpty={(data) => data.list.length === 0}
        empty={
          narrowed(filters) ? (
            <Nothing
              why={t('empty-search')}
              action={<Button onClick={() => change(NO_FILTER)}>{t('remove-filter')}</Button>}
            />
          ) : (
            <Nothing why={t('no-reports')} />
          )
        }
      >
        {(data) => (
          <Panel className={styles.list}>
            <ReportTable rows={data.list} />
            <Foot
              count={t('reports', { count: total })}
              page={filters.page}
              size={PAGE}
              total={total}
              onPage={(page) => change({ ...filters, page })}
            />
          </Panel>
        )}
      </QueryView>
    </div>
  )
}

/** The same filter as the list, every page of it. */
function Export({ filters, disabled }: { filters: Filters; disabled: boolean }) {
  const { t } = useTranslation('report')
  return (
    <ExportButton
      file="export.xlsx"
      label={t('export-list')}
      disabled={disabled}
      fetch={() => raw('/taskReport/export', payloadOf(filters))}
    >
      {t('export')}
    </ExportButton>
  )
}

/** /device/report: every run with its figures and the floor that it painted. */
import { Select } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { Days } from '@/widgets/list/days'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { ENDS, type End, FILTERS } from './filters'
import { ListTools } from './list-tools'
import { COLUMNS, ORDERS } from './report-columns'
import styles from './report-table.module.css'

const PAGE = 24
const HEIGHT = 47 // px
const ANY = ''

export function ReportScreen() {
  const { t } = useTranslation('report')
  const { area, duration } = useFormats()
  const { values, change, payload, list, query } = usePagedList('/taskReport/list', FILTERS, {
    size: PAGE,
    orders: ORDERS,
  })
  const { sums } = (query.data ?? {}) as Partial<Answer<'/taskReport/list'>>
  const cleaned = sums && t('sums', { cleaned: area(sums.cleanedArea).text, planned: area(sums.plannedArea).text })
  return (
    <Page>
      <ListView
        name="report"
        texts="report"
        label={t('task-report')}
        columns={COLUMNS}
        {...list}
        sums={sums && [cleaned, duration(sums.seconds)].join(' · ')}
        idOf={({ taskReportId }) => taskReportId}
        className={styles.table}
        height={HEIGHT}
        tools={<ListTools owner={values.owner} />}
        empty={<Nothing why={t('no-reports')} />}
        sheet={{ name: 'export', fetch: (form) => raw('/taskReport/export', { ...payload, form }) }}
        search={
          <Search text={values.text} hint={t('text')} onSearch={(text) => change({ text })}>
            <DevicePicker
              value={values.device}
              onChange={(device) => change({ device })}
              label={t('device')}
              placeholder={t('all-devices')}
            />
            <OwnerTree value={values.owner} onChange={(owner) => change({ owner })} />
            <Days {...values} onChange={change} />
            <Select
              aria-label={t('result')}
              value={values.end ?? ANY}
              onChange={(end: End | '') => change({ end: end || undefined })}
              popupMatchSelectWidth={false}
              options={[{ value: ANY, label: t('any-end') }, ...ENDS.map((end) => ({ value: end, label: t(end) }))]}
            />
          </Search>
        }
      />
    </Page>
  )
}

/** /device/deviceOnLineSummary: for which share of the time robots were connected. */
import { useMemo } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Page, Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { ListView } from '@/widgets/list/list-view'
import { AskBar } from './ask-bar'
import { ColumnChart } from './column-chart'
import { dateColumn } from './columns'
import { dayText, noonOf, percentText, tickText } from './points'
import { useRange } from './sums-screen'

type Online = Answer<'/summary/chartOnLineNum'>
type OnlineRow = Online['list'][number]

const columnsOf = (unit: Online['unit']): readonly Column<OnlineRow>[] => [
  dateColumn(unit),
  { key: 'online', label: 'robots-online', number: true, cell: ({ online }, { column }) => column(online, 1) },
  { key: 'total', label: 'robots', number: true, cell: ({ total }, { column }) => column(total, 1) },
  {
    key: 'rate',
    label: 'online-rate',
    number: true,
    value: ({ rate }) => percentText(rate),
    cell: ({ rate }, { percent }) => rate !== null && percent(rate, 1),
  },
]

export function OnlineSummaryScreen() {
  const { t } = useTranslation('chart')
  const { values, change, payload } = useRange()
  const query = useCall('/summary/chartOnLineNum', payload, { keep: true })
  return (
    <Page>
      <AskBar values={values} change={change} />
      <QueryView query={query}>{(data) => <Over data={data} />}</QueryView>
      {query.data && (
        <ListView
          name="online-summary"
          texts="chart"
          label={t(query.data.unit === 'day' ? 'every-day' : 'every-month')}
          columns={columnsOf(query.data.unit)}
          query={query}
          sum={{ label: t('whole-range'), row: { ...query.data.whole, date: '' } }}
          idOf={({ date }) => date}
          empty={<Nothing why={t('no-robots')} />}
        />
      )}
    </Page>
  )
}

function Over({ data }: { data: Online }) {
  const { t } = useTranslation('chart')
  const formats = useFormats()
  const { days, percent } = formats
  const drawn = useMemo(
    () => ({
      names: data.list.map(({ date }) => dayText(date, data.unit, formats)),
      ticks: data.list.map(({ date }) => tickText(date, data.unit, formats)),
      values: data.list.map(({ rate }) => rate),
      write: (rate: number) => formats.percent(rate, 1),
    }),
    [data, formats],
  )
  const label = t(data.unit === 'day' ? 'by-day' : 'by-month', { figure: t('online-rate') })
  const words = { days: days(noonOf(data.startDate), noonOf(data.endDate)) }
  return (
    <Panel title={label}>
      <Row stack gap="m" pad="s panel">
        <Text>
          {data.rate === null ? t('no-robots') : t('online-in-short', { ...words, rate: percent(data.rate, 1) })}{' '}
          {data.rateBefore !== null && t('before', { area: percent(data.rateBefore, 1) })}
        </Text>
        <ColumnChart {...drawn} label={label} file="online-rate" most={1} />
      </Row>
    </Panel>
  )
}

/** What was cleaned in a range: in short, as columns over time with their table, and taken apart. */
import { useMemo } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { Page, Panel } from '@/shared/ui/panel'
import { Nothing, type Query, QueryView } from '@/shared/ui/query-view'
import { useFilters } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { AskBar } from './ask-bar'
import { ColumnChart } from './column-chart'
import { pointColumns } from './columns'
import { FILTERS, type Figure } from './filters'
import { PartsPanel } from './parts-panel'
import { dayText, type Point, type Sums, tickText, VIEWS } from './points'
import { SumsPanel } from './sums-panel'

interface Series {
  readonly startDate: string
  readonly endDate: string
  readonly unit: 'day' | 'month'
  readonly list: readonly Point[]
}

interface Props {
  series: Query<Series>
  whole: Query<Sums & { readonly clearedRuns: number; readonly before: Sums }>
  figures: readonly Figure[]
  /** Of its table and sheet. */
  name: string
}

export const useRange = () => useFilters(FILTERS)

export function SumsScreen({ series, whole, figures, name }: Props) {
  const { values, change, payload } = useRange()
  const figure = values.figure && figures.includes(values.figure) ? values.figure : 'area'
  return (
    <Page>
      <AskBar values={values} change={change} />
      <QueryView query={series}>
        {(data) => (
          <>
            {whole.data && <SumsPanel whole={whole.data} start={data.startDate} end={data.endDate} figures={figures} />}
            <Over
              series={data}
              query={series}
              whole={whole.data}
              {...{ figure, figures, name }}
              onFigure={(next) => change({ figure: next })}
            />
          </>
        )}
      </QueryView>
      <PartsPanel payload={payload} by={values.by ?? 'robot'} onChoose={(by) => change({ by })} whole={whole.data} />
    </Page>
  )
}

interface OverProps {
  series: Series
  query: Query<Series>
  whole: Sums | undefined
  figure: Figure
  figures: readonly Figure[]
  name: string
  onFigure(figure: Figure): void
}

const RATIOS: ReadonlySet<Figure> = new Set(['coverage', 'online'])

function Over({ series, query, whole, figure, figures, name, onFigure }: OverProps) {
  const { t } = useTranslation('chart')
  const formats = useFormats()
  const { value, write, label } = VIEWS[figure]
  const { unit, list } = series
  const drawn = useMemo(
    () => ({
      names: list.map(({ date }) => dayText(date, unit, formats)),
      ticks: list.map(({ date }) => tickText(date, unit, formats)),
      values: list.map(value),
      write: (amount: number) => write(amount, formats),
    }),
    [list, unit, formats, value, write],
  )
  return (
    <>
      <Panel title={t(unit === 'day' ? 'by-day' : 'by-month', { figure: t(label) })}>
        <Row stack gap="m" pad="s panel">
          <Row>
            <Segments label={t('figure')}>
              {figures.map((key) => (
                <Segment key={key} on={key === figure} onChoose={() => onFigure(key)}>
                  {t(VIEWS[key].label)}
                </Segment>
              ))}
            </Segments>
          </Row>
          <ColumnChart
            {...drawn}
            label={t(unit === 'day' ? 'by-day' : 'by-month', { figure: t(label) })}
            file={`${name}-${figure}`}
            most={RATIOS.has(figure) ? 1 : undefined}
          />
        </Row>
      </Panel>
      <ListView
        name={name}
        texts="chart"
        label={t(unit === 'day' ? 'every-day' : 'every-month')}
        columns={pointColumns(unit, figures.includes('online'))}
        query={query}
        sum={whole && { label: t('sum'), row: { ...whole, date: '' } }}
        idOf={({ date }) => date}
        empty={<Nothing why={t('no-runs')} />}
      />
    </>
  )
}

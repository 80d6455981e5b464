/** What was cleaned in a range: in short, as columns over time with their table, and taken apart. All comes at once. */
import { useMemo } from 'react'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
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
import { TargetPanel } from './target-panel'

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
  target?: Query<Target>
}

type Target = Answer<'/taskReport/chartTarget'>

export const useRange = () => useFilters(FILTERS)

export function SumsScreen({ series, whole, figures, name, target }: Props) {
  const { values, change, payload } = useRange()
  const figure = values.figure && figures.includes(values.figure) ? values.figure : 'area'
  const loading = series.isPending || whole.isPending || target?.isPending
  return (
    <Page>
      <AskBar values={values} change={change} />
      <QueryView query={loading ? { ...series, data: undefined } : series}>
        {(data) => (
          <>
            {whole.data && <SumsPanel whole={whole.data} start={data.startDate} end={data.endDate} figures={figures} />}
            {target?.data && whole.data && (
              <TargetPanel chart={target.data} cleaned={whole.data.cleanedArea} owner={values.owner} />
            )}
            <Over
              series={data}
              query={series}
              whole={whole.data}
              {...{ figure, figures, name }}
              target={target?.data}
              onFigure={(next) => change({ figure: next })}
            />
          </>
        )}
      </QueryView>
      <div hidden={loading}>
        <PartsPanel payload={payload} by={values.by ?? 'robot'} onChoose={(by) => change({ by })} whole={whole.data} />
      </div>
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
  target: Target | undefined
  onFigure(figure: Figure): void
}

const RATIOS: ReadonlySet<Figure> = new Set(['coverage', 'online'])

function Over({ series, query, whole, figure, figures, name, target, onFigure }: OverProps) {
  const { t } = useTranslation('chart')
  const formats = useFormats()
  const { value, write, label } = VIEWS[figure]
  const { unit } = series
  const list = useMemo(() => beside(series.list, target), [series, target])
  const aim = figure === 'area' && target?.target.targetArea != null
  const drawn = useMemo(
    () => ({
      names: list.map(({ date }) => dayText(date, unit, formats)),
      ticks: list.map(({ date }) => tickText(date, unit, formats)),
      values: list.map(value),
      title: t(label),
      line: aim ? { name: t('target'), values: list.map(({ savings }) => savings?.targetArea ?? null) } : undefined,
      write: (amount: number) => write(amount, formats),
    }),
    [list, unit, formats, value, write, aim, label, t],
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
        columns={pointColumns(unit, figures.includes('online'), target?.total)}
        query={{ ...query, data: { ...series, list } }}
        sum={whole && { label: t('sum'), row: { ...whole, date: '', savings: target?.total } }}
        idOf={({ date }) => date}
        empty={<Nothing why={t('no-runs')} />}
      />
    </>
  )
}

/** Each day or month with what it is beside its target. */
function beside(list: readonly Point[], target: Target | undefined): readonly Point[] {
  const savings = new Map(target?.list.map((row) => [row.date, row]))
  return list.map((row) => ({ ...row, savings: savings.get(row.date) }))
}

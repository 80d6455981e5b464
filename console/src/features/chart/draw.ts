/** The part of ECharts that columns need: loaded with the first chart, and with nothing else. */
import { BarChart, type BarSeriesOption, LineChart, type LineSeriesOption } from 'echarts/charts'
import {
  AriaComponent,
  type AriaComponentOption,
  GridComponent,
  type GridComponentOption,
  TooltipComponent,
  type TooltipComponentOption,
} from 'echarts/components'
import { type ComposeOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, LineChart, GridComponent, TooltipComponent, AriaComponent, SVGRenderer])

type Option = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption | AriaComponentOption
>

export interface Columns {
  readonly names: readonly string[]
  /** The names as short as they stand below the axis. */
  readonly ticks: readonly string[]
  /** What the columns show. */
  readonly title?: string
  readonly values: readonly (number | null)[]
  /** What they are compared with, as a dashed line. */
  readonly line?: { readonly name: string; readonly values: readonly (number | null)[] } | undefined
  /** What all is at most; without it the largest value says. */
  readonly most?: number | undefined
  readonly write: (value: number) => string
  readonly colours: { readonly fill: string; readonly gap: string; readonly line: string; readonly text: string }
}

const LANE_PX = 4 // of a column
const GAP_PX = 1
const BAR_MOST_PX = 36
const LETTERS_PX = 11
const LINE_PX = 2

function optionOf({ names, ticks, title, values, line, most, write, colours }: Columns): Option {
  const words = { color: colours.text, fontSize: LETTERS_PX }
  return {
    animation: false,
    aria: {
      enabled: true,
      label: { enabled: false },
      decal: {
        show: true,
        decals: {
          ...{ symbol: 'rect', symbolSize: 1, color: colours.gap, rotation: 0 },
          ...{ dashArrayX: [1, 0], dashArrayY: [GAP_PX, LANE_PX] },
        },
      },
    },
    grid: { left: 0, right: 0, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: { trigger: 'axis', confine: true, valueFormatter: (value) => (value == null ? '' : write(Number(value))) },
    xAxis: {
      type: 'category',
      data: [...names],
      axisLabel: { ...words, formatter: (_, place) => ticks[place] ?? '' },
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colours.line } },
    },
    yAxis: {
      type: 'value',
      ...(most !== undefined && { max: most }),
      axisLabel: { ...words, formatter: write },
      splitLine: { lineStyle: { color: colours.line } },
    },
    series: [
      {
        type: 'bar',
        data: [...values],
        barMaxWidth: BAR_MOST_PX,
        itemStyle: { color: colours.fill },
        ...(line && title !== undefined && { name: title }),
      },
      ...(line ? [lineOf(line, colours.text)] : []),
    ],
  }
}

const lineOf = ({ name, values }: NonNullable<Columns['line']>, color: string): LineSeriesOption => ({
  type: 'line',
  name,
  data: [...values],
  step: 'middle',
  symbol: 'none',
  silent: true,
  lineStyle: { type: 'dashed', width: LINE_PX, color },
  itemStyle: { color },
})

export interface Drawing {
  show(columns: Columns): void
  /** Opens what is words of a column; -1: of none. */
  point(place: number): void
  /** As it stands, so large. */
  picture(): string
  fit(): void
  end(): void
}

export function drawIn(element: HTMLElement): Drawing {
  const chart = init(element, null, { renderer: 'svg' })
  return {
    show: (columns) => chart.setOption(optionOf(columns), { notMerge: true }),
    point: (place) =>
      chart.dispatchAction(place < 0 ? { type: 'hideTip' } : { type: 'showTip', seriesIndex: 0, dataIndex: place }),
    picture: () => chart.getDataURL(),
    fit: () => chart.resize(),
    end: () => chart.dispose(),
  }
}

/** The figures of a day, a month or a part, as columns of its table and of the sheet that is made of it. */
import type { Column } from '@/widgets/list/columns'
import { efficiencyM2PerHour } from '@/widgets/report/figures'
import { clockText, dayText, type Point, percentText, type Savings, type Sums, VIEWS } from './points'

const FIGURES: readonly Column<Sums>[] = [
  { key: 'runs', label: 'runs', number: true, cell: ({ runs }, { number }) => number(runs) },
  { key: 'plannedArea', label: 'planned-area', number: true, cell: (row, { area }) => area(row.plannedArea).text },
  {
    key: 'cleanedArea',
    label: 'cleaned-area',
    number: true,
    cell: (row, { area }) => <b>{area(row.cleanedArea).text}</b>,
  },
  {
    key: 'time',
    label: 'cleaning-time',
    number: true,
    value: ({ time }) => clockText(time),
    cell: ({ time }, { duration }) => duration(time),
  },
  {
    key: 'coverage',
    label: 'coverage',
    number: true,
    value: (row) => percentText(VIEWS.coverage.value(row)),
    cell: (row, writing) => written(row, 'coverage', writing),
  },
  {
    key: 'efficiency',
    label: 'cleaning-efficiency',
    number: true,
    value: ({ efficiency }) => (efficiency === null ? null : efficiencyM2PerHour(efficiency)),
    cell: (row, writing) => written(row, 'efficiency', writing),
  },
  {
    key: 'liquidMl',
    label: 'liquid',
    number: true,
    extra: true,
    cell: (row, { unit }) => unit(row.liquidMl / 1000, 'litre', 1),
  },
]

function written(
  row: Sums,
  figure: 'coverage' | 'efficiency' | 'online',
  writing: Parameters<(typeof VIEWS)['area']['write']>[1],
) {
  const value = VIEWS[figure].value(row)
  return value === null ? null : VIEWS[figure].write(value, writing)
}

export const dateColumn = <R extends { readonly date: string }>(unit: 'day' | 'month'): Column<R> => ({
  key: 'date',
  label: 'date',
  heading: true,
  value: ({ date }) => date,
  cell: ({ date }, writing) => dayText(date, unit, writing),
})

export const pointColumns = (
  unit: 'day' | 'month',
  online: boolean,
  savings: Savings | undefined,
): readonly Column<Point>[] => [
  dateColumn(unit),
  ...FIGURES,
  ...SAVINGS.filter(({ of }) => savings && savings[of] !== null).map(({ column }) => column),
  ...(online ? [ONLINE] : []),
]

/** Each stands there once its figure is set. Hours and litres are numbers in sheets: they may be below zero. */
const SAVINGS: readonly { readonly of: keyof Savings; readonly column: Column<Sums> }[] = [
  {
    of: 'targetArea',
    column: {
      key: 'targetArea',
      label: 'chart:target',
      number: true,
      value: ({ savings }) => savings?.targetArea ?? null,
      cell: ({ savings }, { area }) => savings?.targetArea != null && area(savings.targetArea).text,
    },
  },
  {
    of: 'targetArea',
    column: {
      key: 'targetShare',
      label: 'chart:target-reached',
      number: true,
      value: ({ savings }) => percentText(shareOf(savings)),
      cell: ({ savings }, { percent }) => {
        const share = shareOf(savings)
        return share !== null && percent(share, 1)
      },
    },
  },
  {
    of: 'savedTime',
    column: {
      key: 'savedHours',
      label: 'chart:hours-saved-h',
      number: true,
      value: ({ savings }) => rounded(savings?.savedTime, HOUR_S),
      cell: ({ savings }, { number }) => savings?.savedTime != null && number(savings.savedTime / HOUR_S, 2),
    },
  },
  {
    of: 'savedWaterMl',
    column: {
      key: 'savedWater',
      label: 'chart:water-saved-l',
      number: true,
      value: ({ savings }) => rounded(savings?.savedWaterMl, LITRE_ML),
      cell: ({ savings }, { number }) => savings?.savedWaterMl != null && number(savings.savedWaterMl / LITRE_ML, 2),
    },
  },
]
const HOUR_S = 3600
const LITRE_ML = 1000

function shareOf(savings: Savings | undefined) {
  return savings?.targetShare == null ? null : savings.targetShare / 1000
}

function rounded(value: number | null | undefined, by: number) {
  return value == null ? null : Math.round((value / by) * 100) / 100
}

const ONLINE: Column<Sums> = {
  key: 'onlineRate',
  label: 'online-rate',
  number: true,
  value: ({ onlineRate }) => percentText(onlineRate ?? null),
  cell: (row, writing) => written(row, 'online', writing),
}

export interface PartSums extends Sums {
  readonly key: string
  readonly name: string
}

export const PART_COLUMNS: readonly Column<PartSums>[] = [
  { key: 'name', label: 'name', heading: true, cell: ({ name }) => <bdi>{name}</bdi> },
  ...FIGURES,
]

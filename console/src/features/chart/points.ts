/** What charts and their tables show of a day, a month or a part: each figure as a number, and as people read it. */
import type { Formats } from '@/shared/i18n/format'
import type { TextKey } from '@/shared/i18n/text'
import { coverageRatio, efficiencyM2PerHour } from '@/widgets/report/figures'
import type { Figure } from './filters'

export interface Sums {
  readonly runs: number
  readonly time: number
  readonly plannedArea: number
  readonly cleanedArea: number
  readonly coverage: number | null
  readonly efficiency: number | null
  readonly liquidMl: number
  readonly onlineRate?: number | null
  /** Beside a target and beside cleaning by hand; each null where its figure is not set. */
  readonly savings?: Savings | undefined
}

export interface Savings {
  readonly targetArea: number | null
  readonly targetShare: number | null
  readonly savedTime: number | null
  readonly savedWaterMl: number | null
}

export interface Point extends Sums {
  readonly date: string
}

interface FigureView {
  readonly label: TextKey<'chart'>
  /** Null: there is nothing to speak of. */
  value(row: Sums): number | null
  write(value: number, formats: Formats): string
}

export const VIEWS: Readonly<Record<Figure, FigureView>> = {
  area: { label: 'cleaned-area', value: (row) => row.cleanedArea, write: (value, { area }) => area(value).text },
  time: { label: 'cleaning-time', value: (row) => row.time, write: (value, { duration }) => duration(value) },
  coverage: {
    label: 'coverage',
    value: ({ coverage }) => (coverage === null ? null : coverageRatio(coverage)),
    write: (value, { percent }) => percent(value, 1),
  },
  efficiency: {
    label: 'cleaning-efficiency',
    value: ({ efficiency }) => (efficiency === null ? null : efficiencyM2PerHour(efficiency)),
    write: (value, { unit }) => unit(value, 'm2-per-hour'),
  },
  online: {
    label: 'online-rate',
    value: ({ onlineRate }) => onlineRate ?? null,
    write: (value, { percent }) => percent(value, 1),
  },
}

/** Noon in UTC: the same day in every zone that formats are asked for. */
export const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`)

export const dayText = (day: string, unit: 'day' | 'month', { date, month }: Formats) =>
  unit === 'day' ? date(noonOf(day), 'UTC') : month(noonOf(day))

/** As short as it stands below an axis. */
export const tickText = (day: string, unit: 'day' | 'month', { month, shortDay }: Formats) =>
  unit === 'day' ? shortDay(noonOf(day)) : month(noonOf(day))

const two = (value: number) => String(value).padStart(2, '0')

/** For sheets, which have it as a duration. */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/** For sheets, which have it as a percentage. */
export const percentText = (ratio: number | null) => (ratio === null ? null : `${Math.round(ratio * 1000) / 10}%`)

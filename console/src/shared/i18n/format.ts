/** Numbers, times and units in the user's language: always Intl with the glossary's tag, never by hand. */
import { currentLanguage } from './i18n'
import { LANGUAGES, type Language } from './languages'
import { translate, useTranslation } from './text'

const NBSP = '\u00A0'
const [LTR, FSI, END] = ['\u2066', '\u2068', '\u2069'] // an isolate: what stands round it cannot turn it round
const KM2_ABOVE = 1_000_000 // m²; above this km² are shown
const SIZES = [
  [2 ** 30, 'gigabyte'],
  [2 ** 20, 'megabyte'],
  [2 ** 10, 'kilobyte'],
] as const
const PATTERN: Readonly<Record<string, string>> = { year: 'YYYY', month: 'MM', day: 'DD' }
const CJK: ReadonlySet<Language> = new Set(['zh-CN', 'ko', 'ja'])

type Unit = 'm2' | 'km2' | 'm2-per-hour' | 'hour' | 'minute' | 'second' | 'metre' | 'metre-per-second' | 'litre'

type WordKey = `unit-${Unit}`

export interface Formats {
  number(value: number, digits?: number): string
  /** For columns: always grouped, fixed decimals. */
  column(value: number, digits?: number): string
  /** Of a ratio: 0.985 is 98.5 %. */
  percent(ratio: number, digits?: number): string
  unit(value: number, unit: Unit, digits?: number): string
  /** Width by height in metres: read from left to right in every language. */
  extent(width: number, height: number, digits?: number): string
  /** m², or km² above a million; number and unit apart for those who set the unit in another colour. */
  area(squareMetres: number): { value: string; unit: string; text: string }
  /** Names one after another: "a, b, c", "a、b、c". */
  list(names: readonly string[]): string
  /** "5 Mar 2026", as the day of dateTime. */
  date(ms: number, zone?: string): string
  /** Of days that are noon in UTC: "16 – 22 November 2026". */
  days(first: number, last: number): string
  /** Of a day that is noon in UTC: "Mon 16". */
  weekday(ms: number, zone?: string): string
  /** Of such a day: "Mon". */
  dayName(ms: number): string
  /** Of a day that is noon in UTC: "Nov 2026". */
  month(ms: number): string
  /** Of such a day, where its year is known: "5 Mar"; an isolate, for axes that run from left to right. */
  shortDay(ms: number): string
  time(ms: number, zone?: string): string
  dateTime(ms: number, zone?: string): string
  /** To the second, for lists of what happened. */
  exact(ms: number): string
  /** Two units at most: 28 s, 3 min 22 s, 1 h 14 min. */
  duration(seconds: number): string
  /** Of a file: 1.2 GB, 340 kB; by 1024, as the server counts. */
  bytes(size: number): string
  /** "today", "yesterday", "3 days ago". */
  daysAgo(days: number): string
  /** The nearest single unit, for sentences: 14 min. */
  span(ms: number): string
}

export function formats(language: Language, word: (key: WordKey) => string): Formats {
  const tag = LANGUAGES[language].format
  const clock = { hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const
  const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
  const numbers = memoize((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options))
  const times = memoize((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options))
  const at = (options: Intl.DateTimeFormatOptions, ms: number, zone?: string) =>
    times(zone ? { ...options, timeZone: zone } : options).format(ms)
  const lists = new Intl.ListFormat(tag, { type: 'conjunction', style: 'narrow' })
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  const number = (value: number, digits = 0) => numbers({ maximumFractionDigits: digits }).format(value)
  const unit = (value: number, of: Unit, digits = 0) => {
    const space = CJK.has(language) && /^\p{L}{2,}|^\p{Script=Han}/u.test(word(`unit-${of}`)) ? '' : NBSP
    return `${number(value, digits)}${space}${word(`unit-${of}`)}`
  }
  const fixed = (value: number, digits: number) =>
    numbers({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
  return {
    number,
    unit,
    extent: (width, height, digits = 1) =>
      `${LTR}${fixed(width, digits)}${NBSP}×${NBSP}${fixed(height, digits)}${NBSP}${word('unit-metre')}${END}`,
    column: (value, digits = 0) =>
      numbers({ useGrouping: 'always', minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value),
    percent: (ratio, digits = 0) => numbers({ style: 'percent', maximumFractionDigits: digits }).format(ratio),
    area: (squareMetres) => {
      const large = squareMetres > KM2_ABOVE
      const value = large ? number(squareMetres / KM2_ABOVE, 2) : number(squareMetres, squareMetres < 10 ? 1 : 0)
      const name = word(large ? 'unit-km2' : 'unit-m2')
      return { value, unit: name, text: `${value}${NBSP}${name}` }
    },
    list: (names) => lists.format(LANGUAGES[language].rtl ? names.map((name) => `${FSI}${name}${END}`) : names),
    days: (first, last) => times({ dateStyle: 'long', timeZone: 'UTC' }).formatRange(first, last),
    weekday: (ms, zone = 'UTC') => at({ weekday: 'short', day: 'numeric' }, ms, zone),
    dayName: (ms) => at({ weekday: 'short' }, ms, 'UTC'),
    date: (ms, zone) => at(day, ms, zone),
    shortDay: (ms) => `${FSI}${at({ month: 'short', day: 'numeric' }, ms, 'UTC')}${END}`,
    month: (ms) => at({ year: 'numeric', month: 'short' }, ms, 'UTC'),
    time: (ms, zone) => at(clock, ms, zone),
    dateTime: (ms, zone) => at({ ...day, ...clock }, ms, zone),
    exact: (ms) => at({ ...day, ...clock, second: '2-digit' }, ms),
    duration: (seconds) => {
      const whole = Math.round(seconds)
      if (whole < 60) return unit(whole, 'second')
      const [large, small, of] =
        whole < 3600
          ? ([unit(Math.floor(whole / 60), 'minute'), whole % 60, 'second'] as const)
          : ([unit(Math.floor(whole / 3600), 'hour'), Math.floor((whole % 3600) / 60), 'minute'] as const)
      return small === 0 ? large : `${large}${language === 'zh-CN' || language === 'ja' ? '' : NBSP}${unit(small, of)}`
    },
    bytes: (size) => {
      const [of, name] = SIZES.find(([least]) => size >= least) ?? SIZES[2]
      return numbers({ style: 'unit', unit: name, maximumFractionDigits: of > 1024 ? 1 : 0 }).format(size / of)
    },
    daysAgo: (days) => relative.format(-days, 'day'),
    span: (ms) => {
      const seconds = Math.max(0, ms) / 1000
      if (seconds < 10) return unit(seconds, 'second', 1)
      if (seconds < 60) return unit(seconds, 'second')
      return seconds < 3600 * 2 ? unit(Math.floor(seconds / 60), 'minute') : unit(Math.floor(seconds / 3600), 'hour')
    },
  }
}

/** What a field that takes a day shows it by, in letters of Day.js: "DD/MM/YYYY". */
export const dayPattern = (tag: string): string =>
  new Intl.DateTimeFormat(tag, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(0)
    .map(({ type, value }) => PATTERN[type] ?? value.replace(/\u200F/g, ''))
    .join('')

interface WeekInfo {
  readonly firstDay: number
}

/** With which day a week begins where the language is spoken, 1 is Monday: a browser that cannot tell takes that. */
export function firstDayOf(tag: string): number {
  const locale: Intl.Locale & { weekInfo?: WeekInfo; getWeekInfo?(): WeekInfo } = new Intl.Locale(tag)
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}

/** A formatter of Intl takes as long to make as a hundred uses of it. */
function memoize<O extends object, F>(make: (options: O) => F): (options: O) => F {
  const formats = new Map<string, F>()
  return (options) => {
    const key = JSON.stringify(options)
    const known = formats.get(key) ?? make(options)
    formats.set(key, known)
    return known
  }
}

const ofLanguage = new Map<Language, Formats>()

export function useFormats(): Formats {
  useTranslation('common') // a change of language makes new formats
  const language = currentLanguage()
  const known = ofLanguage.get(language) ?? formats(language, translate)
  ofLanguage.set(language, known)
  return known
}

/** The days of a week, 1 is Monday, and their names in a line. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'

const MONDAY_MS = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
export const WEEK = [1, 2, 3, 4, 5, 6, 7] as const

type Run = readonly [first: number, last: number]

/** Three days or more in a row as one run, others by themselves. */
export function runsOf(days: readonly number[]): Run[] {
  const runs: Run[] = []
  for (const day of [...days].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.[1] === day - 1) runs[runs.length - 1] = [run[0], day]
    else runs.push([day, day])
  }
  return runs.flatMap(([first, last]): Run[] =>
    last - first === 1
      ? [
          [first, first],
          [last, last],
        ]
      : [[first, last]],
  )
}

/** `name` of one: "Mon"; `names` of several: "Mon, Thu"; "Mon–Fri"; "Every day". */
export function useDayNames() {
  const { t } = useTranslation('common')
  const { dayName, list } = useFormats()
  const name = (day: number) => dayName(MONDAY_MS + (day - 1) * DAY_MS)
  const span = ([first, last]: Run) => (first === last ? name(first) : `${name(first)}–${name(last)}`)
  const names = (days: readonly number[]) =>
    days.length === WEEK.length ? t('every-day') : list(runsOf(days).map(span))
  return { name, names }
}

import { useFormats } from '@/shared/i18n/format'

const MONDAY_MS = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000
export const WEEK = [1, 2, 3, 4, 5, 6, 7] as const

/** "Mon, Thu, Sat", of ISO weekdays. */
export function useDayNames() {
  const { dayName, list } = useFormats()
  return (days: readonly number[]) => list(days.map((day) => dayName(MONDAY_MS + (day - 1) * DAY_MS)))
}

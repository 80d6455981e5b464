/** What the audit list looks for. Days are the viewer's own, whole and inclusive. */
import dayjs from 'dayjs'
import { date, filters, flag, number, words } from '@/widgets/list/filters'

export const FILTERS = filters({
  words: words((text) => ({ words: text })),
  user: number((userId) => ({ userId }), 'userId'),
  device: number((deviceId) => ({ deviceId }), 'deviceId'),
  action: words((action) => ({ action })),
  from: date((day) => ({ startTime: dayjs(day).toISOString() })),
  to: date((day) => ({ endTime: dayjs(day).add(1, 'day').toISOString() })), // the server leaves the end out
  refused: flag(() => ({ refused: 1 as const })),
})

export type Filters = ReturnType<typeof FILTERS.read>

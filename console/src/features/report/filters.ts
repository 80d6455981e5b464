/** What the report list looks for. Days are the viewer's own, whole and inclusive. */
import { choice, date, filters, number, words } from '@/widgets/list/filters'

export const ENDS = ['finished', 'cancelled', 'interrupted', 'failed', 'running'] as const

export const FILTERS = filters({
  text: words((text) => ({ text })),
  device: number((deviceId) => ({ deviceIds: [deviceId] }), 'deviceId'),
  owner: number((userId) => ({ userId }), 'userId'),
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
  end: choice(ENDS, (end) => ({ end })),
})

export type End = (typeof ENDS)[number]

/** Which runs charts are about, in the address: a range up to today or days of one's own, robots, and what is shown of them. */
import { choice, date, filters, number } from '@/widgets/list/filters'

export const RANGES = ['week', 'month', 'threeMonths', 'year'] as const
export const PARTS = ['robot', 'type', 'group', 'customer', 'country'] as const
const FIGURES = ['area', 'time', 'coverage', 'efficiency', 'online'] as const

export type Range = (typeof RANGES)[number]
export type Part = (typeof PARTS)[number]
export type Figure = (typeof FIGURES)[number]

export const FILTERS = filters({
  range: choice(RANGES, (range) => ({ range })),
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
  device: number((deviceId) => ({ deviceIds: [deviceId] }), 'deviceId'),
  owner: number((userId) => ({ userId }), 'userId'),
  by: choice(PARTS),
  figure: choice(FIGURES),
})

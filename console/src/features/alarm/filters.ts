/** What the lists of alarms look for. Days are those of the robots' places, whole and inclusive. */

import { LEVELS } from '@/widgets/alarm/levels'
import { choice, date, filters, number, words } from '@/widgets/list/filters'
import { STATES, TYPES } from './rows'

export const FILTERS = filters({
  code: words((code) => ({ code })),
  device: number((deviceId) => ({ deviceId }), 'deviceId'),
  owner: number((userId) => ({ userId }), 'userId'),
  group: number((group) => ({ group })),
  level: choice(LEVELS, (level) => ({ level })),
  type: choice(TYPES, (type) => ({ type })),
  state: choice(STATES, (state) => ({ state })),
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
})

export type Filters = ReturnType<typeof FILTERS.read>

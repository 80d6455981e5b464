/**
 * What the device list looks for. It lives in the URL; without one the last search of the session counts, and the
 * route parameter `userId` selects the owner beforehand.
 */
import { MODES } from '@/shared/live/telemetry'
import type { Payload } from '@/shared/rpc/contract'
import { choice, filters, number, words } from '@/widgets/list/filters'

export const FILTERS = filters({
  text: words((deviceCode) => ({ deviceCode })),
  type: number((deviceType) => ({ deviceType })),
  owner: number((userId) => ({ userId }), 'userId'),
  /** A group of devices. */
  group: number((groupId) => ({ groupId })),
  mode: choice(MODES, (mode) => ({ mode })),
})

export type Filters = typeof FILTERS.none
export type ListPayload = ReturnType<typeof FILTERS.payload>

/** Columns of the table that the server sorts by. */
export const ORDERS: readonly NonNullable<Payload<'/device/selectDevicePc'>['sort']>[] = [
  'state',
  'name',
  'serial',
  'type',
  'site',
  'battery',
  'task',
  'progress',
  'cleaned',
  'disinfectant',
  'heard',
  'customer',
  'country',
  'province',
  'rack',
  'software',
]

export const PAGE = 30
export const TRIGGER_PX = 600
export const BACK_TO_TOP_PX = 100
const SEARCH_KEY = 'lustra-device-search'

export const keepSearch = (query: URLSearchParams) => sessionStorage.setItem(SEARCH_KEY, query.toString())
export const storedSearch = () => new URLSearchParams(sessionStorage.getItem(SEARCH_KEY) ?? '')

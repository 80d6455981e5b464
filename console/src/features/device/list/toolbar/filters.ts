/**
 * What the device list looks for. It lives in the URL; without one the last search of the session counts, and the
 * route parameter `userId` selects the owner beforehand.
 */
import type { Mode } from '@/shared/live/frames'
import { MODES } from '@/shared/live/telemetry'

export interface Filters {
  readonly text: string
  readonly type: number | undefined
  readonly owner: number | undefined
  /** A group of devices. */
  readonly group: number | undefined
  readonly mode: Mode | undefined
  readonly view: 'cards' | 'table'
}

export const PAGE = 30
export const TRIGGER_PX = 600
export const BACK_TO_TOP_PX = 100
const SEARCH_KEY = 'lustra-device-search'

export const NO_FILTER = { text: '', type: undefined, owner: undefined, group: undefined, mode: undefined } as const

const id = (text: string | null) => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined)

export function readFilters(query: URLSearchParams): Filters {
  const mode = query.get('mode')
  return {
    text: query.get('text') ?? '',
    type: id(query.get('type')),
    owner: id(query.get('userId')),
    group: id(query.get('group')),
    mode: MODES.find((m) => m === mode),
    view: query.get('view') === 'table' ? 'table' : 'cards',
  }
}

export function writeFilters({ text, type, owner, group, mode, view }: Filters): URLSearchParams {
  const query = new URLSearchParams()
  if (text) query.set('text', text)
  if (type) query.set('type', String(type))
  if (owner) query.set('userId', String(owner))
  if (group) query.set('group', String(group))
  if (mode) query.set('mode', mode)
  if (view === 'table') query.set('view', view)
  return query
}

/** The call's payload; nothing that is not asked for. */
export function payloadOf({ text, type, owner, group, mode }: Filters) {
  return {
    ...(text && { deviceCode: text }),
    ...(type && { deviceType: type }),
    ...(owner && { userId: owner }),
    ...(group && { groupId: group }),
    ...(mode && { mode }),
    isPc: '1',
  }
}

export const narrowed = ({ text, type, owner, group, mode }: Filters) => Boolean(text || type || owner || group || mode)

export const keepSearch = (query: URLSearchParams) => sessionStorage.setItem(SEARCH_KEY, query.toString())
export const storedSearch = () => new URLSearchParams(sessionStorage.getItem(SEARCH_KEY) ?? '')

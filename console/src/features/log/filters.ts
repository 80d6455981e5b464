/** What the audit list looks for; it lives in the URL. Days are the viewer's own, whole and inclusive. */
import dayjs from 'dayjs'

export const PAGE = 30

export interface Filters {
  readonly words: string
  readonly user: number | undefined
  readonly device: number | undefined
  readonly action: string
  readonly from: string | undefined
  readonly to: string | undefined
  readonly refused: boolean
  readonly page: number
}

export const NO_FILTER: Filters = {
  words: '',
  user: undefined,
  device: undefined,
  action: '',
  from: undefined,
  to: undefined,
  refused: false,
  page: 1,
}

const id = (text: string | null) => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined)

/** A day as the URL writes it, YYYY-MM-DD; undefined when there is no such day. */
function day(text: string | null): string | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  return dayjs(text).format('YYYY-MM-DD') === text ? text : undefined
}

export const readFilters = (query: URLSearchParams): Filters => ({
  words: query.get('words') ?? '',
  user: id(query.get('userId')),
  device: id(query.get('deviceId')),
  action: query.get('action') ?? '',
  from: day(query.get('from')),
  to: day(query.get('to')),
  refused: query.get('refused') === '1',
  page: id(query.get('page')) ?? 1,
})

export function writeFilters({ user, device, refused, page, ...rest }: Filters): URLSearchParams {
  const pairs = { ...rest, userId: user, deviceId: device, refused: refused ? 1 : '', page: page > 1 ? page : '' }
  return new URLSearchParams(Object.entries(pairs).flatMap(([key, value]) => (value ? [[key, String(value)]] : [])))
}

export const payloadOf = ({ words, user, device, action, from, to, refused }: Filters) => ({
  ...(words && { words }),
  ...(user && { userId: user }),
  ...(device && { deviceId: device }),
  ...(action && { action }),
  ...(from && { startTime: dayjs(from).toISOString() }),
  ...(to && { endTime: dayjs(to).add(1, 'day').toISOString() }), // the server leaves the end out
  ...(refused && { refused: 1 as const }),
})

export const narrowed = (filters: Filters) => writeFilters({ ...filters, page: 1 }).size > 0

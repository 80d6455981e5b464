/** What the report list looks for; it lives in the URL. Days are the viewer's own, whole and inclusive. */
export const ENDS = ['finished', 'cancelled', 'interrupted', 'failed', 'running'] as const
export type End = (typeof ENDS)[number]
export const PAGE = 24

export interface Filters {
  readonly text: string
  readonly device: number | undefined
  readonly owner: number | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  readonly end: End | undefined
  readonly page: number
}

export const NO_FILTER: Filters = {
  text: '',
  device: undefined,
  owner: undefined,
  from: undefined,
  to: undefined,
  end: undefined,
  page: 1,
}

const id = (text: string | null) => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined)

/** A day as the URL writes it, YYYY-MM-DD; undefined when there is no such day. */
function day(text: string | null): string | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

export function readFilters(query: URLSearchParams): Filters {
  const end = query.get('end')
  return {
    text: query.get('text') ?? '',
    device: id(query.get('deviceId')),
    owner: id(query.get('userId')),
    from: day(query.get('from')),
    to: day(query.get('to')),
    end: ENDS.find((e) => e === end),
    page: id(query.get('page')) ?? 1,
  }
}

export function writeFilters(filters: Filters): URLSearchParams {
  const { text, device, owner, from, to, end, page } = filters
  const pairs = { text, deviceId: device, userId: owner, from, to, end, page: page > 1 ? page : undefined }
  return new URLSearchParams(Object.entries(pairs).flatMap(([key, value]) => (value ? [[key, String(value)]] : [])))
}

export function payloadOf({ text, device, owner, from, to, end }: Filters) {
  return {
    ...(text && { text }),
    ...(device && { deviceIds: [device] }),
    ...(owner && { userId: owner }),
    ...(from && { startDate: from }),
    ...(to && { endDate: to }),
    ...(end && { end }),
  }
}

export const narrowed = (filters: Filters) => writeFilters({ ...filters, page: 1 }).size > 0

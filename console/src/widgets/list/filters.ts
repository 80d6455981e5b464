/**
 * The filters of a list, declared once: how each stands in the address, what it is in the call's payload, and what the list
 * looks for without it. What the address has that no filter can be is passed over; a changed filter begins at page one.
 */
import { useSearchParams } from 'react-router'

const ID = /^[1-9]\d{0,14}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const PAGE = 'page'
const USUAL_SIZE = 50
/** A list that is sorted here is asked for whole, up to so many rows. */
export const SORTED_MOST = 5000

/** One filter. `none` is its value while it narrows nothing; `payload` says what it is in the call. */
export interface Filter<V, P> {
  readonly none: V
  /** Its name in the address, where that is not its own. */
  readonly url?: string | undefined
  read(text: string): V
  write(value: V): string
  payload(value: NonNullable<V>): P
}

type Part<V, P> = (value: V) => P

const nothing = () => ({})

export const words = <P = object>(payload: Part<string, P> = nothing as never, url?: string): Filter<string, P> => ({
  none: '',
  url,
  read: (text) => text,
  write: (text) => text,
  payload,
})

const id = (text: string) => (ID.test(text) ? Number(text) : undefined)

export const number = <P = object>(
  payload: Part<number, P> = nothing as never,
  url?: string,
): Filter<number | undefined, P> => ({
  none: undefined,
  url,
  read: id,
  write: (value) => String(value ?? ''),
  payload,
})

/** A day, YYYY-MM-DD; one that no calendar has is none. */
function day(text: string): string | undefined {
  if (!DAY.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

export const date = <P = object>(
  payload: Part<string, P> = nothing as never,
  url?: string,
): Filter<string | undefined, P> => ({ none: undefined, url, read: day, write: (value) => value ?? '', payload })

export const choice = <const V extends string | number, P = object>(
  values: readonly V[],
  payload: Part<V, P> = nothing as never,
  url?: string,
): Filter<V | undefined, P> => ({
  none: undefined,
  url,
  read: (text) => values.find((value) => String(value) === text),
  write: (value) => String(value ?? ''),
  payload: payload as Part<NonNullable<V>, P>,
})

export const flag = <P = object>(payload: Part<true, P> = nothing as never, url?: string): Filter<boolean, P> => ({
  none: false,
  url,
  read: (text) => text === '1',
  write: (on) => (on ? '1' : ''),
  payload: payload as Part<boolean, P>,
})

/** Several of some numbers, in the order in which they are listed. */
export const several = <P = object>(
  payload: Part<readonly number[], P> = nothing as never,
  url?: string,
): Filter<readonly number[], P> => ({
  none: [],
  url,
  read: (text) => text.split(',').flatMap((part) => id(part) ?? []),
  write: (values) => values.join(','),
  payload,
})

// biome-ignore lint/suspicious/noExplicitAny: a filter of whatever kind; `ValueOf` and `PayloadOf` bring the types back
export type Filters = Readonly<Record<string, Filter<any, any>>>
type ValueOf<F> = F extends Filter<infer V, infer _> ? V : never
type PayloadOf<F> = F extends Filter<infer _, infer P> ? P : never
type Every<U> = (U extends unknown ? (part: U) => void : never) extends (part: infer A) => void ? A : never

export type Values<S extends Filters> = { readonly [K in keyof S]: ValueOf<S[K]> }
type Payload<S extends Filters> = Partial<Every<PayloadOf<S[keyof S]>>>

export interface FilterSet<S extends Filters> {
  readonly none: Values<S>
  read(query: URLSearchParams): Values<S>
  /** The address with these values; what else stands in it stays. */
  write(values: Values<S>, query?: URLSearchParams): URLSearchParams
  /** What the call is asked for; nothing of a filter that narrows nothing. */
  payload(values: Values<S>): Payload<S>
  narrowed(values: Values<S>): boolean
}

export function filters<const S extends Filters>(set: S): FilterSet<S> {
  const each = Object.entries(set).map(([name, filter]) => ({ name, filter, url: filter.url ?? name }))
  const active = (values: Values<S>) => each.filter(({ name, filter }) => filter.write(values[name]) !== '')
  return {
    none: Object.fromEntries(each.map(({ name, filter }) => [name, filter.none])) as Values<S>,
    read: (query) =>
      Object.fromEntries(
        each.map(({ name, filter, url }) => {
          const text = query.get(url)
          return [name, text ? filter.read(text) : filter.none]
        }),
      ) as Values<S>,
    write: (values, query) => {
      const next = new URLSearchParams(query)
      for (const { url } of each) next.delete(url)
      for (const { name, filter, url } of active(values)) next.set(url, filter.write(values[name]))
      return next
    },
    payload: (values) =>
      Object.assign({}, ...active(values).map(({ name, filter }) => filter.payload(values[name]))) as Payload<S>,
    narrowed: (values) => active(values).length > 0,
  }
}

/** The filters as the address has them, and the page that is shown. `whole`: what is sorted is asked for in one page. */
export function useFilters<S extends Filters>(set: FilterSet<S>, size = USUAL_SIZE, whole = true) {
  const [query, setQuery] = useSearchParams()
  const values = set.read(query)
  const go = (next: URLSearchParams, page: number, replace: boolean) => {
    if (page > 1) next.set(PAGE, String(page))
    else next.delete(PAGE)
    setQuery(next, { replace })
  }
  const change = (part: Partial<Values<S>>) => go(set.write({ ...values, ...part }, query), 1, true)
  const sorted = whole && query.has('sort')
  const page = sorted ? 1 : (id(query.get(PAGE) ?? '') ?? 1)
  const pageSize = sorted ? SORTED_MOST : size
  return {
    values,
    payload: set.payload(values),
    narrowed: set.narrowed(values),
    paging: { currentPage: page, pageSize },
    change,
    reset: () => change(set.none),
    turn: (next: number) => go(set.write(values, query), next, false),
  }
}

/** Every row of a list that comes page by page: a sheet is of all of them, not of those that happen to be shown. */
import { call } from './call'
import type { Answer, CallPath, Payload } from './contract'

/** Calls that answer a page of a list. */
export type PagedPath = {
  [C in CallPath]: Answer<C> extends { list: readonly unknown[]; total: number } ? C : never
}[CallPath]

export type PagedRow<C extends PagedPath> = Answer<C> extends { list: readonly (infer R)[] } ? R : never

const PAGE = 500

/** `payload`: the call's without its page. `most`: so many rows are enough. */
export async function loadEveryRow<C extends PagedPath>(
  path: C,
  payload: object,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly PagedRow<C>[]> {
  const rows: PagedRow<C>[] = []
  for (let currentPage = 1; ; currentPage += 1) {
    // The answer of such a path is a page of its rows: `PagedPath` has chosen it by that.
    const page = (await call(path, { ...payload, currentPage, pageSize: PAGE } as unknown as Payload<C>)) as {
      list: readonly PagedRow<C>[]
      total: number
    }
    rows.push(...page.list)
    if (page.list.length === 0 || rows.length >= Math.min(page.total, most)) return rows
  }
}

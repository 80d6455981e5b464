/**
 * Permission keys as pages with their buttons. A button stands with its page: to tick it ticks the page, and without
 * the page its buttons go. Nobody ticks what they do not hold themselves.
 */
import { KEYS } from '@/shared/rpc/people'

export interface PageKeys {
  readonly page: string
  readonly buttons: readonly string[]
}

type Keys = ReadonlySet<string>

const PAGES = KEYS.filter(({ kind }) => kind === 'page').map(({ key }): string => key)
const BUTTONS = KEYS.filter(({ kind }) => kind === 'button').map(({ key }): string => key)
const pages: Keys = new Set(PAGES)

/** The page with the longest key that begins the button's. */
export const pageOf = (button: string): string =>
  PAGES.filter((page) => button.startsWith(`${page}/`)).sort((a, b) => b.length - a.length)[0] ?? 'index'

/** All that is shown, in the order of the catalogue. */
export const tree = (keys: Keys): PageKeys[] =>
  PAGES.map((page) => ({ page, buttons: BUTTONS.filter((key) => keys.has(key) && pageOf(key) === page) })).filter(
    ({ page, buttons }) => keys.has(page) || buttons.length > 0,
  )

export function toggled(ticked: Keys, key: string, on: boolean, held: Keys): Set<string> {
  const next = new Set(ticked)
  if (!held.has(key)) return next
  if (on) {
    next.add(key)
    const page = pageOf(key)
    if (!pages.has(key) && held.has(page)) next.add(page)
  } else {
    next.delete(key)
    if (pages.has(key))
      for (const button of BUTTONS) if (pageOf(button) === key && held.has(button)) next.delete(button)
  }
  return next
}

/** All that is held; what is ticked beyond that stays. */
export const allToggled = (ticked: Keys, on: boolean, held: Keys): Set<string> =>
  new Set(on ? [...ticked, ...held] : [...ticked].filter((key) => !held.has(key)))

export const counted = (ticked: Keys) => ({
  pages: PAGES.filter((key) => ticked.has(key)).length,
  buttons: BUTTONS.filter((key) => ticked.has(key)).length,
})

export interface RoleKeys {
  readonly id: number
  readonly pageKeys: readonly string[]
  readonly buttonKeys: readonly string[]
}

export interface GroupKeys {
  readonly id: number
  readonly roleIds: readonly number[]
  readonly permissionKeys: readonly string[]
}

/** What the chosen roles and groups bring. */
export function brought(
  roles: readonly RoleKeys[],
  groups: readonly GroupKeys[],
  chosen: { roles: ReadonlySet<number>; groups: ReadonlySet<number> },
): Set<string> {
  const given = groups.filter(({ id }) => chosen.groups.has(id))
  const ids = new Set([...chosen.roles, ...given.flatMap(({ roleIds }) => roleIds)])
  return new Set([
    ...roles.filter(({ id }) => ids.has(id)).flatMap(({ pageKeys, buttonKeys }) => [...pageKeys, ...buttonKeys]),
    ...given.flatMap(({ permissionKeys }) => permissionKeys),
  ])
}

export const without = (keys: Iterable<string>, held: Keys) => [...keys].filter((key) => !held.has(key))
export const within = (keys: Iterable<string>, held: Keys) => [...keys].filter((key) => held.has(key))

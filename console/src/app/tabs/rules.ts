/** Rules of the tabs, as plain functions: index stands first and never closes; who closes the current tab goes to its neighbour. */
import type { Keys } from '@/shared/i18n/keys'

export interface Tab {
  /** The path without its query: one tab per page and subject. */
  readonly key: string
  /** Where the tab stands now, with its query. */
  readonly href: string
  /** Key of the title in `common`. */
  readonly title: Keys['common']
  /** What the page itself says that it shows, such as a robot's name. */
  readonly subject?: string
}

export const INDEX_TAB: Tab = { key: '/index', href: '/index', title: 'status-monitoring' }

export type Scope = 'this' | 'before' | 'after' | 'others' | 'all'

/** Opens a page as a tab, or brings its tab to where the page now stands. */
export function open(tabs: readonly Tab[], tab: Tab): readonly Tab[] {
  const known = tabs.find((t) => t.key === tab.key)
  if (!known) return [...tabs, tab]
  if (known.href === tab.href && known.title === tab.title) return tabs
  return tabs.map((t) => (t === known ? { ...t, href: tab.href, title: tab.title } : t))
}

export const named = (tabs: readonly Tab[], key: string, subject: string): readonly Tab[] =>
  tabs.map((t) => (t.key === key && t.subject !== subject ? { ...t, subject } : t))

export function close(tabs: readonly Tab[], key: string, scope: Scope): readonly Tab[] {
  const at = tabs.findIndex((t) => t.key === key)
  const closes = {
    this: (i: number) => i === at,
    before: (i: number) => i < at,
    after: (i: number) => i > at,
    others: (i: number) => i !== at,
    all: () => true,
  }[scope]
  return tabs.filter((t, i) => t.key === INDEX_TAB.key || !closes(i))
}

/** Where the view goes when `current` is no longer among the tabs: what stood after it, else before it, else index. */
export function neighbour(before: readonly Tab[], after: readonly Tab[], current: string): Tab | undefined {
  if (after.some((t) => t.key === current)) return undefined
  const at = before.findIndex((t) => t.key === current)
  const left = (list: readonly Tab[]) => list.find((t) => after.some((a) => a.key === t.key))
  return left(before.slice(at + 1)) ?? left(before.slice(0, at).reverse()) ?? INDEX_TAB
}

/** Drag or keyboard: puts a tab at another place; index keeps the first. */
export function move(tabs: readonly Tab[], key: string, to: number): readonly Tab[] {
  const tab = tabs.find((t) => t.key === key)
  if (!tab || key === INDEX_TAB.key) return tabs
  const others = tabs.filter((t) => t !== tab)
  const place = Math.min(Math.max(to, 1), others.length)
  return [...others.slice(0, place), tab, ...others.slice(place)]
}

/** What was kept may be of any age and shape: only real tabs come back, index first. */
export function restored(stored: unknown): readonly Tab[] {
  const text = (value: unknown): value is string => typeof value === 'string' && value.length > 0
  const isTab = (t: unknown): t is Tab => {
    const { key, href, title }: Partial<Record<keyof Tab, unknown>> = t ?? {}
    return text(key) && text(href) && text(title) && key.startsWith('/') && href.startsWith(key)
  }
  const tabs = Array.isArray(stored) ? stored.filter(isTab).filter((t) => t.key !== INDEX_TAB.key) : []
  return [INDEX_TAB, ...tabs]
}

/** What a tab is called: what it shows, and where two show the same, with the page's name. */
export function titleOf(tab: Tab, tabs: readonly Tab[], pageName: string): string {
  if (!tab.subject) return pageName
  return tabs.some(({ key, subject }) => key !== tab.key && subject === tab.subject)
    ? `${tab.subject} · ${pageName}`
    : tab.subject
}

/** Tabs of two windows in one strip: those of the other, less what was closed here, then what was opened here. */
export function joined(base: unknown, here: unknown, elsewhere: unknown): readonly Tab[] {
  const [before, own, theirs] = [restored(base), restored(here), restored(elsewhere)]
  const has = (tabs: readonly Tab[], key: string) => tabs.some((tab) => tab.key === key)
  if (theirs.map(({ key }) => key).join() === before.map(({ key }) => key).join()) return own
  const theirsLeft = theirs
    .filter(({ key }) => has(own, key) || !has(before, key))
    .map((tab) => own.find(({ key }) => key === tab.key) ?? tab)
  const opened = own.filter(({ key }) => !has(theirs, key) && !has(before, key))
  return [...theirsLeft, ...opened]
}

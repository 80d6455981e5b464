import { expect, test } from 'vitest'
import { close, INDEX_TAB, joined, move, named, neighbour, open, restored, type Tab, titleOf } from './rules'

const tab = (name: string): Tab => ({ key: `/${name}`, href: `/${name}`, title: 'map' })
const [a, b, c] = [tab('a'), tab('b'), tab('c')]
const ALL = [INDEX_TAB, a, b, c]
const keys = (tabs: readonly Tab[]) => tabs.map((t) => t.key)

test('a page opens one tab, whatever its filters; the tab follows them', () => {
  expect(open(ALL, a)).toBe(ALL)
  expect(open(ALL, { ...a, href: '/a?text=x' })[1]).toEqual({ ...a, href: '/a?text=x' })
  expect(keys(open(ALL, tab('d')))).toEqual(['/index', '/a', '/b', '/c', '/d'])
})

test.each([
  ['this', ['/index', '/a', '/c']],
  ['before', ['/index', '/b', '/c']],
  ['after', ['/index', '/a', '/b']],
  ['others', ['/index', '/b']],
  ['all', ['/index']],
] as const)('[rule.tabs.index] close %s leaves index open', (scope, left) => {
  expect(keys(close(ALL, '/b', scope))).toEqual(left)
})

test('[rule.tabs.index] index itself does not close', () => {
  expect(close(ALL, '/index', 'this')).toEqual(ALL)
})

test('[rule.tabs.neighbour] [feat.tabs.neighbour] closing the current tab shows its neighbour, or index', () => {
  expect(neighbour(ALL, close(ALL, '/b', 'this'), '/b')).toBe(c)
  expect(neighbour(ALL, close(ALL, '/c', 'this'), '/c')).toBe(b)
  expect(neighbour(ALL, close(ALL, '/c', 'all'), '/c')).toBe(INDEX_TAB)
  expect(neighbour(ALL, close(ALL, '/a', 'this'), '/b')).toBeUndefined()
})

test('[feat.tabs.close] tabs move by drag or keyboard, index keeps the first place', () => {
  expect(keys(move(ALL, '/c', 1))).toEqual(['/index', '/c', '/a', '/b'])
  expect(keys(move(ALL, '/c', 0))).toEqual(['/index', '/c', '/a', '/b'])
  expect(keys(move(ALL, '/a', 9))).toEqual(['/index', '/b', '/c', '/a'])
  expect(move(ALL, '/index', 2)).toBe(ALL)
})

test('a page may name its subject', () => {
  expect(named(ALL, '/b', 'Kestrel L1-A')[2]).toEqual({ ...b, subject: 'Kestrel L1-A' })
})

test.each([
  undefined,
  null,
  'x',
  [null, 3, {}],
  [{ key: 'https://x', href: 'https://x', title: 't' }],
  [{ key: '/a', href: '//x', title: 't' }],
])('validate stored tabs: %j', (stored) => {
  expect(restored(stored)).toEqual([INDEX_TAB])
})

test('[feat.tabs.persist] kept tabs come back, index first and once', () => {
  expect(restored([a, INDEX_TAB])).toEqual([INDEX_TAB, a])
})

test('tabs of another window join those that were opened here meanwhile', () => {
  const d = tab('d')
  expect(keys(joined(undefined, [INDEX_TAB, c], [INDEX_TAB, a, b]))).toEqual(['/index', '/a', '/b', '/c'])
  expect(keys(joined([a, b], [b, c], [a, b, d]))).toEqual(['/index', '/b', '/d', '/c']) // a was closed here
  expect(keys(joined([a, b], [b, a], [a, b]))).toEqual(['/index', '/b', '/a']) // only the order changed, here
})

test('a tab is called by what it shows, and two of one robot by their pages too', () => {
  const robot = { ...a, subject: 'Kestrel L1-A' }
  expect(titleOf(c, [robot, c], 'Maps')).toBe('Maps')
  expect(titleOf(robot, [robot, c], 'Control')).toBe('Kestrel L1-A')
  expect(titleOf(robot, [robot, { ...b, subject: 'Kestrel L1-A' }], 'Control')).toBe('Kestrel L1-A · Control')
})

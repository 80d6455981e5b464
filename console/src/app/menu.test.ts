import { IconList } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import { menuOf, permitted } from './menu'
import type { Page } from './pages'

const page = (path: string, key: string, group?: string): Page => ({
  path,
  key,
  title: key,
  menu: { icon: IconList, ...(group && { group }) },
  cache: true,
  texts: [],
  load: async () => () => null,
})
const PAGES = [
  page('/index', 'index'),
  page('/device/index', 'device/index', 'devices'),
  page('/device/report', 'device/report'),
  page('/device/maplist', 'device/maplist', 'devices'),
  page('/device/else', 'device/other', 'devices'),
]
const paths = (keys: string[]) =>
  menuOf(PAGES, Object.fromEntries(keys.map((k) => [k, true as const]))).map((g) => [
    g.group,
    g.pages.map((p) => p.path),
  ])

test('a group shows only if one of its pages is permitted', () => {
  expect(paths([])).toEqual([[undefined, ['/index']]])
  expect(paths(['device/maplist'])).toEqual([
    [undefined, ['/index']],
    ['devices', ['/device/maplist']],
  ])
})

test('pages of one group stand together, in the order of the first', () => {
  expect(paths(['device/index', 'device/report', 'device/maplist'])).toEqual([
    [undefined, ['/index']],
    ['devices', ['/device/index', '/device/maplist']],
    [undefined, ['/device/report']],
  ])
})

test('a key opens a route only when / plus the key is its path', () => {
  expect(paths(['device/other'])).toEqual([[undefined, ['/index']]])
})

test('[route.index] is always shown', () => {
  expect(permitted(page('/index', 'index'), {})).toBe(true)
  expect(permitted(page('/device/index', 'device/index'), {})).toBe(false)
})

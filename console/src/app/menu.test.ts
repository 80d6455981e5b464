import { IconList } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import type { Keys } from '@/shared/i18n/keys'
import { menuOf, permitted } from './menu'
import { PAGES as BUILT } from './pages'
import type { Page } from './pages/page'

const page = (path: string, key: string, group?: Keys['common']): Page => ({
  path,
  key,
  title: 'map',
  menu: { icon: IconList, ...(group && { group }) },
  cache: true,
  texts: [],
  load: async () => () => null,
})
const PAGES = [
  page('/index', 'index'),
  page('/device/index', 'device/index', 'device-management'),
  page('/device/report', 'device/report'),
  page('/device/maplist', 'device/maplist', 'device-management'),
  page('/device/else', 'device/other', 'device-management'),
]
const paths = (keys: string[]) =>
  menuOf(PAGES, Object.fromEntries(keys.map((k) => [k, true as const]))).map((g) => [
    g.group,
    g.pages.map((p) => p.path),
  ])

test('[feat.menu.groups] [prule.group_shown] [prule.menu_from_keys] a group shows only if one of its pages is permitted', () => {
  expect(paths([])).toEqual([[undefined, ['/index']]])
  expect(paths(['device/maplist'])).toEqual([
    [undefined, ['/index']],
    ['device-management', ['/device/maplist']],
  ])
})

test('pages of one group stand together, in the order of the first', () => {
  expect(paths(['device/index', 'device/report', 'device/maplist'])).toEqual([
    [undefined, ['/index']],
    ['device-management', ['/device/index', '/device/maplist']],
    [undefined, ['/device/report']],
  ])
})

test('groups stand in their order, whichever page is listed first', () => {
  const listed = [
    page('/file/host', 'file/host', 'file-management'),
    page('/index', 'index'),
    page('/user/index', 'user/index', 'user-management'),
    page('/device/index', 'device/index', 'device-management'),
  ]
  const keys = Object.fromEntries(listed.map(({ key }) => [key, true as const]))
  expect(menuOf(listed, keys).map(({ group }) => group)).toEqual([
    'device-management',
    undefined,
    'user-management',
    'file-management',
  ])
})

test('[prule.page_match] a key opens a route only when / plus the key is its path', () => {
  expect(paths(['device/other'])).toEqual([[undefined, ['/index']]])
})

test('[route.index] is always shown', () => {
  expect(permitted(page('/index', 'index'), {})).toBe(true)
  expect(permitted(page('/device/index', 'device/index'), {})).toBe(false)
})

test('[feat.router.device_routes] the pages of devices lie under device/, each by the key that is its path', () => {
  const names = ['index', 'group', 'maplist', 'taskList', 'report', 'hardSupportIndex', 'index/product/batch/index']
  const more = ['index/hostManage', 'repair', 'hire', 'ad', 'deviceAmap', 'info', 'index/device/selectViewPwdPageList']
  for (const name of [...names, ...more]) {
    const listed = BUILT.find(({ path }) => path === `/device/${name}`)
    expect(listed?.key, name).toBe(`device/${name}`)
  }
})

/** A page that fails takes no other down, and not the layout: for every page of the route table. */
import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { RouteObject } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followErrors } from '@/shared/rpc/client-error'
import { stageRoutes } from '@/widgets/testing/test-stage'
import { PAGES } from './pages'
import type { Page } from './pages/page'
import { queryClient } from './query-client'
import { routesOf } from './routes'

const KEYS = PAGES.map(({ key }) => key)
const OVERVIEW = {
  cleanedToday: 0,
  plannedToday: 0,
  hours: [],
  history: { progress: 1, done: true },
  sites: [],
  floors: [],
}
const AROUND = {
  '/user/preferences': {},
  '/message/findMessageByUnRead': { count: 0, list: [] },
  '/clientError': {},
  '/board/overview': OVERVIEW,
  '/device/selectDeviceCount': { total: 0 },
}
let stopFollowing = () => {}

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {}) // React says there what a boundary caught
  stopFollowing = followErrors(() => '/log')
  queryClient.clear()
})
afterEach(() => {
  stopFollowing()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const Throws = (): never => {
  throw new Error('planted')
}
/** The same table, in which every page is loaded so. */
const loadedBy = (load: Page['load']) => routesOf(PAGES.map((page) => ({ ...page, load })))
const unloadable = () => Promise.reject(new TypeError('no such file'))

/** A hidden page stays in the document. */
const isVisible = (part: Element) => part.closest('[style*="display: none"]') === null

/** Paths of pages whose failure takes the layout down. */
async function unbounded(table: RouteObject[]): Promise<string[]> {
  const { router } = await stageRoutes(table, { at: '/message/index', answers: AROUND, keys: KEYS })
  await screen.findByRole('navigation', { name: 'Main menu' })
  const without: string[] = []
  for (const { path } of PAGES) {
    await act(() => router.navigate(path.replace(/:\w+/g, '7')))
    const menu = document.querySelector('nav[aria-label="Main menu"]')
    const alerts = [...document.querySelectorAll('[role=alert]')].filter(isVisible)
    if (!menu || alerts.length === 0) without.push(path)
  }
  return without
}

test('every page of the route table has a boundary of its own', async () => {
  expect(await unbounded(loadedBy(async () => Throws))).toEqual([])
})

test('a page without one is found', async () => {
  const table = loadedBy(async () => Throws).map((route) => ({
    ...route,
    ...(route.id === 'shell' && { children: route.children?.filter(({ path }) => path !== 'log') }),
  })) as RouteObject[]
  expect(await unbounded([...table, { path: '/log', Component: Throws }])).toEqual(['/log'])
})

test('[err.text.module_not_found] a page whose code does not load fails in its own tab, and is loaded when it is tried again', async () => {
  let load: Page['load'] = unloadable
  await stageRoutes(
    loadedBy(() => load()),
    { at: '/log', answers: AROUND, keys: KEYS },
  )
  await screen.findByText('A module of the console was not found')
  load = async () => () => 'loaded'
  await userEvent.click(screen.getByText('Try again'))
  await screen.findByText('loaded')
})

const ROW = {
  ...{ id: 7, time: '2026-11-21T14:00:00Z', actionName: 'Delete map', action: 'map.delete', code: 0, detail: {} },
  ...{ account: 'ann', shadow: '', address: '127.0.0.1', deviceId: null },
}

test('blank only the list of a malformed row, and bring it back with good rows', async () => {
  const rows: unknown[] = [null]
  const { router, of } = await stageRoutes(routesOf(PAGES), {
    at: '/message/index',
    answers: {
      ...AROUND,
      '/message/findAllMessage': { list: [], total: 0, pageNum: 0 },
      '/log/list': () => ({ list: rows, total: 1, pageNum: 1 }),
    },
    keys: KEYS,
  })
  await screen.findByRole('navigation', { name: 'Main menu' })
  await router.navigate('/log')
  const title = await screen.findByText('This page could not be shown.')
  const alert = title.closest<HTMLElement>('[role=alert]') as HTMLElement
  within(screen.getByRole('navigation', { name: 'Open pages' })).getByRole('link', { name: 'Audit log' })
  expect(of('/clientError')[0]?.payload).toMatchObject({ kind: 'render', route: '/log' })

  rows.splice(0, 1, ROW)
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await screen.findByText('ann')
  expect(screen.queryByText('This page could not be shown.')).toBeNull()
})

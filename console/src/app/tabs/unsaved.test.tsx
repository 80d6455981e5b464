/** What is not saved is seen at its tab, and asked about before the tab closes or the account logs out. */
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { App } from 'antd'
import { afterEach, expect, test, vi } from 'vitest'
import { currentSession } from '@/shared/session/session'
import { markSaved, markUnsaved } from '@/shared/ui/unsaved'
import { stage } from '@/widgets/testing/test-stage'
import { UserMenu } from '../shell/user-menu'
import { INDEX_TAB, type Tab } from './rules'
import { TabStrip } from './tab-strip'
import { changeTabs } from './tabs'

const PATH = '/device/maplist/6'
const tab = (key: string, subject: string): Tab => ({ key, href: key, title: 'map-list', subject })

const PATIENCE = { timeout: 20_000 }

afterEach(() => {
  markSaved(PATH)
  changeTabs(() => [INDEX_TAB])
  vi.unstubAllGlobals()
})

const NEWS = {
  ...{ id: 1, version: '1.20.0', log: 'Robots take updates\nAnd more' },
  ...{ publishTime: '2026-11-20T10:00:00Z', updateTime: '2026-11-20T10:00:00Z' },
}

async function show() {
  const rendered = await stage(
    () => (
      <App>
        <TabStrip />
        <UserMenu />
      </App>
    ),
    {
      at: '/index',
      answers: {
        ...{ '/logout': {}, '/user/preferences': {}, '/message/findMessageByUnRead': { count: 0, list: [] } },
        '/wmCloudVersion/news': { list: [NEWS] },
      },
    },
  )
  changeTabs(() => [INDEX_TAB, tab(PATH, 'ward'), tab('/device/maplist/7', 'hall')])
  await screen.findByRole('link', { name: /ward/ })
  const ways = { discard: vi.fn(() => markSaved(PATH)), putBy: vi.fn(() => markSaved(PATH)) }
  markUnsaved(PATH, ways)
  await screen.findByRole('img', { name: 'Not saved' })
  return { ...rendered, ways }
}
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const wards = () => screen.queryAllByRole('link', { name: /ward/ }).length

test('only the tab of what is not saved is marked, and no more when it is', async () => {
  await show()
  expect(screen.getAllByRole('img', { name: 'Not saved' })).toHaveLength(1)
  markSaved(PATH)
  await vi.waitFor(() => expect(screen.queryByRole('img', { name: 'Not saved' })).toBeNull(), PATIENCE)
})

test.each([
  ['Close and keep', 'putBy'],
  ['Close and discard', 'discard'],
] as const)('close a tab after a question: %s', async (choice, way) => {
  const { ways } = await show()
  await click('Close “ward”')
  within(await screen.findByRole('dialog')).getByText(/Not saved: ward\./)
  expect(wards()).toBe(1)
  await click(choice)
  await vi.waitFor(() => expect(wards()).toBe(0), PATIENCE)
  expect([ways.putBy.mock.calls.length, ways.discard.mock.calls.length]).toEqual(way === 'putBy' ? [1, 0] : [0, 1])
})

test('keep the tab on Back; close a tab without changes at once', async () => {
  const { ways } = await show()
  await click('Close “ward”')
  await click('Cancel')
  await click('Close “hall”')
  expect(screen.queryByRole('link', { name: /hall/ })).toBeNull()
  expect(wards()).toBe(1)
  expect(ways.discard).not.toHaveBeenCalled()
})

test('closing all tabs asks as well', async () => {
  await show()
  await click('Page actions')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Close all tabs' }))
  within(await screen.findByRole('dialog')).getByText(/Not saved: ward\./)
  expect(screen.getByRole('link', { name: /hall/ })).toBeDefined()
})

test.each([
  ['Cancel', false],
  ['Log out', true],
])('a log-out asks, and discards nothing: %s', async (choice, leaves) => {
  const { ways, of } = await show()
  await click(/Account menu/)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  const dialog = await screen.findByRole('dialog')
  expect(currentSession()).toBeDefined()
  await userEvent.click(within(dialog).getByRole('button', { name: choice }))
  if (leaves) await vi.waitFor(() => expect(currentSession()).toBeUndefined(), PATIENCE)
  expect(of('/logout')).toHaveLength(leaves ? 1 : 0)
  expect(currentSession() === undefined).toBe(leaves)
  expect(ways.discard).not.toHaveBeenCalled()
})

test('[const.scroll_throttle] the wheel moves the tabs at once, and then each 300 ms', async () => {
  await show()
  vi.useFakeTimers()
  const moved = vi.fn()
  Element.prototype.scrollBy = moved
  const strip = screen.getByRole('navigation', { name: 'Open pages' })
  for (let turns = 0; turns < 9; turns += 1) strip.dispatchEvent(new WheelEvent('wheel', { deltaY: 40 }))
  expect(moved).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(299)
  expect(moved).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  expect(moved).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
})

test('show what this is, which build, and what is new in it', async () => {
  await show()
  await userEvent.click(screen.getByRole('button', { name: /Account menu/ }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'About Lustra' }))
  const dialog = await screen.findByRole('dialog', { name: 'About Lustra' })
  within(dialog).getByText('1.20.0')
  within(dialog).getByText('Apache-2.0')
  expect(await within(dialog).findByRole('heading', { name: 'What’s new in 1.20.0' })).toBeTruthy()
  within(dialog).getByText('Robots take updates')
})

const stored = () => JSON.parse(localStorage.getItem('lustra-tabs-3') ?? '[]').map(({ key }: Tab) => key)

test('the middle button closes a tab; what is open is kept by this browser, for each account', async () => {
  await show()
  expect(stored()).toContain('/device/maplist/7')
  const hall = await screen.findByRole('link', { name: /hall/ })
  fireEvent(hall.parentElement as HTMLElement, new MouseEvent('auxclick', { bubbles: true, button: 1 }))
  expect(screen.queryByRole('link', { name: /hall/ })).toBeNull()
  expect(stored()).not.toContain('/device/maplist/7')
})

test('a tab that another window of the browser opens stands here too', async () => {
  await show()
  localStorage.setItem('lustra-tabs-3', JSON.stringify([tab(PATH, 'ward'), tab('/device/maplist/9', 'attic')]))
  fireEvent(window, new StorageEvent('storage', { key: 'lustra-tabs-3' }))
  await screen.findByRole('link', { name: /attic/ })
})

test('tabs that have no room side by side are all in a menu', async () => {
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(4000)
  const { router } = await show()
  await click('All tabs')
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'hall' }))
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/device/maplist/7'))
})

import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { begin, end } from '../session/session'
import { loadPreferences, setPreference, usePreferences } from './preferences'

const server = setupServer()
let stored: Record<string, unknown>
let sent: unknown[]

const logIn = (userId: number) =>
  begin({
    userId,
    token: 't',
    uuid: 'u',
    account: 'a',
    name: '',
    url: '',
    levelDepth: 3,
    shadowId: null,
    permissionBeans: [],
  })

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())
beforeEach(() => {
  localStorage.clear()
  stored = {}
  sent = []
  server.use(
    http.post('*/api/user/preferences', async ({ request }) => {
      const { set } = (await request.json()) as { set?: object }
      if (set) sent.push(set)
      return HttpResponse.json({ message: { code: 0, message: '' }, data: stored })
    }),
  )
  logIn(1)
})
afterEach(() => {
  end()
  vi.useRealTimers()
})

test('the server’s word counts, but not over what it does not know yet', async () => {
  stored = { size: 'large', theme: 'light' }
  setPreference('theme', 'dark')
  await loadPreferences()
  expect(usePreferences.getState()).toEqual({ size: 'large', theme: 'dark' })
})

test('changes are sent together, a moment later', async () => {
  setPreference('theme', 'dark')
  setPreference('size', 'small')
  await vi.waitFor(() => expect(sent).toEqual([{ theme: 'dark', size: 'small' }]))
})

test('each account has its own', () => {
  setPreference('theme', 'dark')
  end()
  logIn(2)
  expect(usePreferences.getState()).toEqual({})
  end()
  logIn(1)
  expect(usePreferences.getState()).toEqual({ theme: 'dark' })
})

test('keep a change that is made while the server is asked, even when it was sent before the answer came', async () => {
  stored = { theme: 'light' }
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  server.use(
    http.post('*/api/user/preferences', async ({ request }) => {
      const { set } = (await request.json()) as { set?: object }
      if (set) sent.push(set)
      else await held
      return HttpResponse.json({ message: { code: 0, message: '' }, data: { theme: 'light' } })
    }),
  )
  const loading = loadPreferences()
  setPreference('theme', 'dark')
  await vi.waitFor(() => expect(sent).toEqual([{ theme: 'dark' }]))
  answer()
  await loading
  expect(usePreferences.getState()).toEqual({ theme: 'dark' })
})

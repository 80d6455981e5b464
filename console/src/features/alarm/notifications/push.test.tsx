import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { nameBrowser } from './browser-name'
import { PushSection } from './push-section'

const PHONE = { id: 4, label: 'Chrome · Android', createTime: '2026-03-01T08:00:00Z' }
const NEVER = { ...PHONE, sentTime: null, reason: '', reasonText: '' }
const REFUSED = { ...NEVER, sentTime: '2026-03-02T08:00:00Z', reason: 'push_refused', reasonText: 'it was refused' }
const SUBSCRIBED = { endpoint: 'https://push.example/1', keys: { p256dh: 'PUBLIC', auth: 'AUTH' } }

/** A browser that can be pushed to, and what its person answers when asked. */
function browser(permission: 'granted' | 'denied') {
  const subscribe = vi.fn(async () => ({ toJSON: () => SUBSCRIBED }))
  const worker = { pushManager: { getSubscription: async () => null, subscribe } }
  const register = vi.fn(async () => worker)
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { requestPermission: async () => permission })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { register, ready: Promise.resolve(worker) },
  })
  return { subscribe, register }
}

afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.unstubAllGlobals()
})

const open = (list: object[]) =>
  stage(() => <PushSection />, {
    at: '/warn/index/warn',
    answers: {
      '/webPush/list': { key: 'KEY', list },
      '/webPush/subscribe': { id: 4 },
      '/webPush/unsubscribe': {},
      '/webPush/test': {},
    },
  })

test('this browser is turned on with the key of the server, and named by what it is', async () => {
  const { subscribe, register } = browser('granted')
  const { of } = await open([])
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
  await waitFor(() => expect(of('/webPush/subscribe')).toHaveLength(1))
  expect(register).toHaveBeenCalledWith('/sw.js')
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'KEY' })
  expect(of('/webPush/subscribe')[0]?.payload).toMatchObject({
    ...{ endpoint: SUBSCRIBED.endpoint, public: 'PUBLIC', auth: 'AUTH' },
  })
})

test('show where to allow notifications, and when a browser cannot show them', async () => {
  browser('denied')
  const { of } = await open([])
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
  expect(await screen.findByText(/blocks notifications/)).toBeDefined()
  expect(of('/webPush/subscribe')).toHaveLength(0)
})

test('a browser that cannot be pushed to offers nothing', async () => {
  await open([])
  expect(await screen.findByText(/It needs https/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Turn on' })).toBeNull()
})

test('each browser is tried and removed, and says what came of the last message', async () => {
  browser('granted')
  const { of } = await open([NEVER, { ...REFUSED, id: 5, label: 'Firefox · Linux' }])
  expect(await screen.findByText('Nothing sent yet')).toBeDefined()
  expect(screen.getByText('it was refused')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Send me a test: Chrome · Android' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove: Firefox · Linux' }))
  await waitFor(() => expect(of('/webPush/unsubscribe')).toHaveLength(1))
  expect(of('/webPush/test')[0]?.payload).toEqual({ id: 4 })
  expect(of('/webPush/unsubscribe')[0]?.payload).toEqual({ id: 5 })
})

test.each([
  ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36', 'Chrome · Android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Safari/604.1', 'Safari · iPhone'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/129.0 Safari/537.36 Edg/129.0', 'Edge · Windows'],
  ['curl/8', 'Browser'],
])('a browser is called what its people call it: %s', (agent, name) => {
  expect(nameBrowser(agent)).toBe(name)
})

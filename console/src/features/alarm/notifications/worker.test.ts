import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const PUSHED = { id: 9, level: 4, ticket: 'TICKET' }
const TEXT = { title: 'Stuck', text: 'Robot 1 · Hotel', path: '/index/realWarn/9', acts: true, take: 'T', snooze: 'S' }

interface Waiting {
  waitUntil(work: Promise<unknown>): void
}
type Handler = (event: Waiting & Record<string, unknown>) => void

/** The worker of public/sw.js within a browser of ours; `answer`: what the server says to each call. */
function start(answer: (path: string) => object, scope = 'https://lustra.example/') {
  const handlers: Record<string, Handler> = {}
  const showNotification = vi.fn(async () => undefined)
  const openWindow = vi.fn(async () => undefined)
  const fetch = vi.fn(async (path: string, _: { body: string }) => ({ json: async () => answer(path) }))
  const self = {
    addEventListener: (name: string, handler: Handler) => {
      handlers[name] = handler
    },
    registration: { showNotification, scope },
    clients: { openWindow },
  }
  const code = readFileSync(join(process.cwd(), 'public/sw.js'), 'utf8')
  new Function('self', 'fetch', code)(self, fetch)
  const send = async (name: string, event: object) => {
    const works: Promise<unknown>[] = []
    handlers[name]?.({ ...event, waitUntil: (work) => works.push(work) })
    await Promise.all(works)
  }
  return { send, showNotification, openWindow, fetch }
}

const good = (data: object) => ({ message: { code: 0 }, data })
const refused = { message: { code: 40004 }, data: null }
const push = { data: { json: () => PUSHED } }
const press = (action: string) => ({
  action,
  notification: { close: vi.fn(), data: { path: TEXT.path, ticket: PUSHED.ticket } },
})

test('a pushed alarm is shown with the text that its ticket opens, and with two buttons', async () => {
  const { send, showNotification, fetch } = start(() => good(TEXT))
  await send('push', push)
  expect(JSON.parse(fetch.mock.calls[0]?.[1].body ?? '')).toEqual({ ticket: 'TICKET' })
  expect(showNotification).toHaveBeenCalledWith(
    'Stuck',
    expect.objectContaining({
      body: TEXT.text,
      tag: '9',
      requireInteraction: true,
      actions: [
        { action: 'take', title: 'T' },
        { action: 'snooze', title: 'S' },
      ],
    }),
  )
})

test('an alarm whose text cannot be had is shown all the same', async () => {
  const { send, showNotification } = start(() => refused)
  await send('push', push)
  expect(showNotification).toHaveBeenCalledWith('Lustra', expect.objectContaining({ actions: [] }))
})

test('a button does what it says without opening a page; what it cannot do is done in the page', async () => {
  const { send, openWindow, fetch } = start(() => good({}))
  await send('notificationclick', press('snooze'))
  expect(fetch.mock.calls[0]?.[0]).toBe('/api/webPush/act')
  expect(JSON.parse(fetch.mock.calls[0]?.[1].body ?? '')).toEqual({ ticket: 'TICKET', action: 'snooze' })
  expect(openWindow).not.toHaveBeenCalled()
  const late = start(() => refused)
  await late.send('notificationclick', press('take'))
  expect(late.openWindow).toHaveBeenCalledWith(TEXT.path)
})

test('a press beside the buttons opens the alarm', async () => {
  const { send, openWindow, fetch } = start(() => good({}))
  await send('notificationclick', press(''))
  expect(openWindow).toHaveBeenCalledWith(TEXT.path)
  expect(fetch).not.toHaveBeenCalled()
})

test('below a path of its host it asks and leads there', async () => {
  const { send, showNotification, openWindow, fetch } = start(() => good(TEXT), 'https://example.com/lustra/')
  await send('push', push)
  await send('notificationclick', press(''))
  expect(fetch.mock.calls[0]?.[0]).toBe('/lustra/api/webPush/read')
  expect(showNotification).toHaveBeenCalledWith('Stuck', expect.objectContaining({ icon: '/lustra/favicon.svg' }))
  expect(openWindow).toHaveBeenCalledWith(`/lustra${TEXT.path}`)
})

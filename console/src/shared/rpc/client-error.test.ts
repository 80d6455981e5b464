/** What of a page's errors goes to the server: once each, a few, bounded, and nothing without a session. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSessionStore } from '../session/session'
import { followErrors, reportError } from './client-error'
import { Refusal, Unreached } from './refusal'

const SESSION = { userId: 3, token: 't', uuid: 'u', account: 'a', name: 'A', url: '', levelDepth: 3, shadowId: null }
let reports: Record<string, string>[] = []
let stop = () => {}

beforeEach(() => {
  reports = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    reports.push(JSON.parse(String(init.body)))
    return Response.json({ message: { code: 0, message: '' }, data: {} })
  })
  useSessionStore.setState({ session: { ...SESSION, permissionKeys: {} } })
  stop = followErrors(() => '/device/maplist/:mapId')
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})
/** All that was sent until now. */
const sent = async (count: number) => {
  await vi.waitFor(() => expect(reports.length).toBeGreaterThanOrEqual(count), { timeout: 20_000 })
  return reports
}

test('a failed part is reported with the page’s pattern, the build and where it failed', async () => {
  reportError('render', new TypeError('no such field'), '\n    at Row\n    at List')
  const [report] = await sent(1)
  expect(report).toMatchObject({ kind: 'render', route: '/device/maplist/:mapId', message: 'TypeError: no such field' })
  expect(report?.stack).toMatch(/client-error\.test\.ts:\d+:\d+[\s\S]*at Row\n {4}at List/)
  expect(report?.version).toMatch(/^\d+\.\d+/)
})

test('errors of scripts and promises are reported too', async () => {
  dispatchEvent(new ErrorEvent('error', { error: new Error('script'), message: 'script' }))
  const rejection = Object.assign(new Event('unhandledrejection'), { reason: new Error('promise') })
  dispatchEvent(rejection)
  expect((await sent(2)).map(({ kind, message }) => [kind, message])).toEqual([
    ['error', 'Error: script'],
    ['rejection', 'Error: promise'],
  ])
})

test('the same error is reported once, and no more than twenty of one page load', async () => {
  for (let again = 0; again < 3; again++) reportError('render', new Error('same'))
  for (let number = 0; number < 30; number++) reportError('render', new Error(`error ${number}`))
  await sent(20)
  expect(reports.map(({ message }) => message)).toEqual([
    'Error: same',
    ...Array.from({ length: 19 }, (_, number) => `Error: error ${number}`),
  ])
})

test('texts are cut to what the call takes', async () => {
  reportError('render', new Error('x'.repeat(1000)), `\n at Row${' at List'.repeat(1000)}`)
  const [report] = await sent(1)
  expect(report?.message).toHaveLength(300)
  expect(report?.stack?.length).toBeLessThanOrEqual(2000)
})

test('report refused and unreachable calls as no errors of the page', async () => {
  for (const error of [new Refusal(40004, 'gone'), new Unreached(502, '/api/x'), new DOMException('', 'AbortError')])
    reportError('rejection', error)
  reportError('error', new Error('ResizeObserver loop completed with undelivered notifications.'))
  reportError('render', new Error('real'))
  expect((await sent(1)).map(({ message }) => message)).toEqual(['Error: real'])
})

test('before log-in nothing is sent', async () => {
  useSessionStore.setState({ session: undefined })
  reportError('render', new Error('early'))
  useSessionStore.setState({ session: { ...SESSION, permissionKeys: {} } })
  reportError('render', new Error('later'))
  expect((await sent(1)).map(({ message }) => message)).toEqual(['Error: later'])
})

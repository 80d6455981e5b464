import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { begin, currentSession, end, leave, readCookie, useSessionStore } from '../session/session'
import { call, get, raw } from './call'
import { LoggedOut, Refusal, Unreached } from './refusal'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())
beforeEach(() =>
  begin({
    userId: 3,
    token: 'tok',
    uuid: 'u',
    account: '王',
    name: '',
    url: '',
    levelDepth: 3,
    shadowId: null,
    permissionBeans: [{ key: 'device/index' }],
  }),
)
afterEach(() => {
  server.resetHandlers()
  end()
})

const answers = (body: object, status = 200) =>
  server.use(http.post('*/api/device/selectDeviceCount', () => HttpResponse.json(body, { status })))
const envelope = (code: number, data?: unknown) => ({ message: { code, message: `text ${code}` }, data })
const count = () => call('/device/selectDeviceCount', {})

test.each([0, 20007, 20004])('[err.env.0] [err.env.20007] [err.env.20004] %i is success', async (code) => {
  answers(envelope(code, { total: 12 }))
  expect(await count()).toEqual({ total: 12 })
})

test('a call by GET has its path filled in, and the rest as its query', async () => {
  let url = ''
  server.use(
    http.get('*/api/map/deleteMap2/:a/:b', ({ request }) => {
      url = new URL(request.url).pathname + new URL(request.url).search
      return HttpResponse.json(envelope(0))
    }),
  )
  await get('/map/deleteMap2/{a}/{b}', { a: 'SC1', b: 'floor 1/2', force: '1' })
  expect(url).toBe('/api/map/deleteMap2/SC1/floor%201%2F2?force=1')
})

test('[err.env.other] any other code is refused in the server’s words', async () => {
  answers(envelope(31007))
  await expect(count()).rejects.toEqual(new Refusal(31007, 'text 31007'))
  expect(currentSession()).toBeDefined()
})

test('a refusal names the input that it is about', async () => {
  answers(envelope(40000, { field: 'parentId', level: 2 }))
  await expect(count()).rejects.toMatchObject({ code: 40000, field: 'parentId' })
})

test('[err.env.10003, state.session.t03] ends the session and keeps the message of the first of many', async () => {
  let nth = 0
  server.use(
    http.post('*/api/device/selectDeviceCount', () =>
      HttpResponse.json({ message: { code: 10003, message: `ended ${++nth}` } }),
    ),
  )
  const all = await Promise.allSettled([count(), count(), count()])
  expect(all.map((result) => result.status === 'rejected' && result.reason instanceof LoggedOut)).toEqual([
    true,
    true,
    true,
  ])
  expect(useSessionStore.getState()).toEqual({ session: undefined, farewell: 'ended 1' })
  expect(readCookie('token')).toBeUndefined()
})

test('a call that fails because the user is logging out has nothing to say', async () => {
  server.use(
    http.post('*/api/device/selectDeviceCount', () =>
      HttpResponse.json({ message: { code: 10003, message: 'ended' } }),
    ),
  )
  leave()
  await expect(count()).rejects.toBeInstanceOf(LoggedOut)
  expect(useSessionStore.getState()).toEqual({ session: undefined, farewell: undefined })
})

test('[err.http.401] ends the session too', async () => {
  answers({}, 401)
  await expect(count()).rejects.toBeInstanceOf(LoggedOut)
  expect(currentSession()).toBeUndefined()
})

test('[err.http.404] names the address', async () => {
  answers({}, 404)
  await expect(count()).rejects.toEqual(new Unreached(404, '/api/device/selectDeviceCount'))
})

test('[conv.headers, const.x.no_user_dash] four headers go along, the account readable in latin letters', async () => {
  let seen: Headers | undefined
  server.use(
    http.post('*/api/device/selectDeviceCount', ({ request }) => {
      seen = request.headers
      return HttpResponse.json(envelope(0, {}))
    }),
  )
  await count()
  expect(seen?.get('token')).toBe('tok')
  expect(seen?.get('username')).toBe('%E7%8E%8B')
  expect(seen?.get('platform')).toBe('web_cloud')
  end()
  await count()
  expect(seen?.get('token')).toBeNull()
  expect(seen?.get('username')).toBe('-')
})

test('a raw call that is refused throws, not a file of JSON', async () => {
  server.use(http.post('*/api/taskReport/export', () => HttpResponse.json(envelope(31001))))
  await expect(raw('/taskReport/export', {})).rejects.toBeInstanceOf(Refusal)
})

test('a session needs the cookie and the stored user', () => {
  expect(currentSession()?.permissionKeys).toEqual({ 'device/index': true })
  expect(readCookie('token')).toBe('tok')
})

test('show when to come again if a queue is full; leave another 503 to the transport', async () => {
  answers(envelope(50004, { seconds: 5 }), 503)
  await expect(count()).rejects.toMatchObject({ name: 'Refusal', code: 50004, message: 'text 50004' })
  answers(envelope(50005, { seconds: 2 }), 429)
  await expect(count()).rejects.toMatchObject({ name: 'Refusal', code: 50005, message: 'text 50005' })
  answers(envelope(50003), 503)
  await expect(count()).rejects.toBeInstanceOf(Unreached)
})

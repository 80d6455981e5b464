import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { forgetGrant, RelayRefusal, relayCall, route } from './relay'

const RELAY = 'http://relay.example'
const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterAll(() => server.close())
afterEach(() => {
  server.resetHandlers()
  forgetGrant(1)
})

/** A main server that hands out grants g1, g2 … and a relay that answers in turn. */
function stand(protocol: number, answers: object[], lifeMs = 60_000) {
  const seen: { url: string; grant: string | null; type: string | null; body: string }[] = []
  let granted = 0
  server.use(
    http.post('*/api/device/relayGrant', () =>
      HttpResponse.json({
        message: { code: 0, message: '' },
        data: { url: RELAY, port: 20017, protocol, grant: `g${++granted}`, expiresAt: Date.now() + lifeMs, number: 4 },
      }),
    ),
    http.post(`${RELAY}/`, async ({ request }) => {
      const { search } = new URL(request.url)
      seen.push({
        url: search,
        grant: request.headers.get('grant'),
        type: request.headers.get('Content-Type'),
        body: await request.text(),
      })
      return HttpResponse.json(answers[seen.length - 1] ?? answers.at(-1))
    }),
  )
  return seen
}

test('a command goes to the relay with m, p and the grant, and one grant serves many', async () => {
  const seen = stand(3, [{ code: 0, msg: '', list: [] }])
  await relayCall(1, 'task_list', { map_name: 'floor' })
  await relayCall(1, 'task_state')
  expect(seen.map((s) => [s.url, s.grant])).toEqual([
    ['?m=api1/task_list&p=20017', 'g1'],
    ['?m=api1/task_state&p=20017', 'g1'],
  ])
  expect(seen[0]?.body).toBe('{"map_name":"floor"}')
})

test('[err.relay.envelope] any code but 0 is refused with its reason', async () => {
  stand(3, [{ code: 423, msg: 'fenced', reason: 'fenced' }])
  await expect(relayCall(1, 'task_start', { name: 'x' })).rejects.toMatchObject(
    new RelayRefusal(423, 'fenced', 'fenced', ''),
  )
})

test('a grant that is no longer taken is renewed once', async () => {
  const seen = stand(3, [
    { code: 401, msg: 'expired' },
    { code: 0, msg: '' },
  ])
  await relayCall(1, 'task_pause')
  expect(seen.map((s) => s.grant)).toEqual(['g1', 'g2'])
})

test('the prefix follows the robot’s protocol, maps have their own', () => {
  expect(route('task_list', 2)).toBe('api/task_list')
  expect(route('task_list', 3)).toBe('api1/task_list')
  expect(route('map_list', 2)).toBe('api2/map_list')
})

test('a grant is renewed before its time is over', async () => {
  const seen = stand(3, [{ code: 0, msg: '' }], 5500)
  await relayCall(1, 'task_state')
  vi.setSystemTime(Date.now() + 600) // less than its rest of 5 s is left
  await relayCall(1, 'task_state')
  vi.useRealTimers()
  expect(seen.map(({ grant }) => grant)).toEqual(['g1', 'g2'])
})

test.each([
  ['nobody', () => HttpResponse.error()],
  ['a proxy', () => new HttpResponse('<h1>Bad gateway</h1>', { status: 502 })],
])(
  'where %s answers for a relay its grant is forgotten: the next command asks where the robot is',
  async (_, answer) => {
    const seen = stand(3, [{ code: 0, msg: '' }])
    server.use(http.post(`${RELAY}/`, answer, { once: true }))
    await expect(relayCall(1, 'task_state')).rejects.toMatchObject({ reason: 'relay_unreachable' })
    await relayCall(1, 'task_state')
    expect(seen.map(({ grant }) => grant)).toEqual(['g2'])
  },
)

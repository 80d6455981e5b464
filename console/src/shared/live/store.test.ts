import { beforeEach, expect, test } from 'vitest'
import { ageOf, freshness } from './age'
import type { LiveRow } from './frames'
import { LiveStore, type Socket } from './store'

const row = (id: number, more: Partial<LiveRow> = {}) => ({ id, mode: 'cleaning', ageMs: 0, ...more }) as LiveRow

function setup() {
  const sockets: (Socket & { sent: unknown[]; closed: boolean })[] = []
  const timers: { ms: number; act: () => void }[] = []
  const world = { now: 1000, ended: 0 }
  const store = new LiveStore({
    open: () => {
      const socket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        sent: [] as unknown[],
        closed: false,
        send: (text: string) => void socket.sent.push(JSON.parse(text)),
        close: () => {
          socket.closed = true
        },
      }
      sockets.push(socket)
      return socket
    },
    token: () => 'tok',
    ended: () => {
      world.ended += 1
    },
    now: () => world.now,
    random: () => 1,
    after: (ms, act) => {
      const timer = { ms, act }
      timers.push(timer)
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1)
      }
    },
  })
  const pass = () => {
    for (const timer of timers.splice(0)) timer.act()
  }
  const newest = () => {
    const socket = sockets.at(-1)
    if (!socket) throw new Error('no socket')
    return socket
  }
  const hear = (frame: object) => newest().onmessage?.({ data: JSON.stringify(frame) })
  const greet = () => {
    newest().onopen?.()
    hear({ kind: 'hello', offlineAfterS: 15, silentAfterS: 10 })
  }
  return { store, sockets, timers, world, pass, newest, hear, greet }
}

let it: ReturnType<typeof setup>
beforeEach(() => {
  it = setup()
})

function live() {
  it.store.show({ robots: [2, 1], counts: true })
  it.pass()
  it.greet()
}

test('the first frame is the token, then what the tab shows', () => {
  live()
  expect(it.newest().sent).toEqual([
    { token: 'tok' },
    {
      show: {
        robots: [1, 2],
        cells: [],
        detail: null,
        log: null,
        counts: true,
        fleet: false,
        stale: false,
        reading: 0,
      },
    },
  ])
})

test('unite what mounted parts show, and shrink when they unmount', () => {
  live()
  const leave = it.store.show({ robots: [2, 7], detail: 7, cells: [7] })
  it.pass()
  expect(it.newest().sent.at(-1)).toEqual({
    show: { robots: [1, 2, 7], cells: [7], detail: 7, log: null, counts: true, fleet: false, stale: false, reading: 0 },
  })
  leave()
  it.pass()
  expect(it.newest().sent.at(-1)).toEqual({
    show: { robots: [1, 2], cells: [], detail: null, log: null, counts: true, fleet: false, stale: false, reading: 0 },
  })
})

test('pass on rows and counts', () => {
  live()
  let calls = 0
  it.store.listen(() => {
    calls += 1
  })
  it.hear({ kind: 'snapshot', seq: 1, robots: [row(1)], counts: { total: 2, modes: { cleaning: 1 } } })
  it.hear({ kind: 'robots', seq: 2, robots: [row(1, { battery: 50 })] })
  expect(it.store.robot(1)?.row.battery).toBe(50)
  expect(it.store.counts()).toEqual({ total: 2, modes: { cleaning: 1 } })
  expect(calls).toBe(2)
})

test('take the whole activity first, then its changes, each time in another map', () => {
  live()
  it.hear({ kind: 'snapshot', seq: 1, robots: [], fleet: { cleaning: [1, 2], offline: [3] } })
  const first = it.store.modes()
  it.hear({ kind: 'fleet', seq: 2, modes: { help: [2], idle: [4] }, removed: [3] })
  expect(first?.get(2)).toBe('cleaning')
  expect([...(it.store.modes() ?? [])].sort()).toEqual([
    [1, 'cleaning'],
    [2, 'help'],
    [4, 'idle'],
  ])
  it.hear({ kind: 'snapshot', seq: 3, robots: [] })
  expect(it.store.modes()).toBeUndefined()
})

test('a gap in the numbers asks for a snapshot and is not shown', () => {
  live()
  it.hear({ kind: 'snapshot', seq: 1, robots: [row(1)] })
  const before = it.newest().sent.length
  it.hear({ kind: 'robots', seq: 3, robots: [row(1, { battery: 1 })] })
  expect(it.newest().sent).toHaveLength(before + 1)
  expect(it.store.robot(1)?.row.battery).toBeUndefined()
  it.hear({ kind: 'snapshot', seq: 4, robots: [row(1, { battery: 9 })] })
  expect(it.store.robot(1)?.row.battery).toBe(9)
})

test('a lost socket comes back with growing waits and says again what it shows', () => {
  live()
  it.newest().onclose?.({ code: 1006 })
  expect(it.store.connection().state).toBe('lost')
  expect(it.timers.map((t) => t.ms)).toEqual([500])
  it.pass()
  it.newest().onclose?.({ code: 1006 })
  expect(it.timers.map((t) => t.ms)).toEqual([1000])
  it.pass()
  it.greet()
  expect(it.store.connection().state).toBe('live')
  expect(it.newest().sent.at(-1)).toEqual({
    show: { robots: [1, 2], cells: [], detail: null, log: null, counts: true, fleet: false, stale: false, reading: 0 },
  })
})

test('leave a single open socket, as many timers and the picture after a hundred cuts', () => {
  live()
  const snapshot = { kind: 'snapshot', seq: 1, robots: [row(1, { battery: 50 }), row(2)] }
  it.hear(snapshot)
  const timers = it.timers.length
  let calls = 0
  it.store.listen(() => {
    calls += 1
  })
  for (let cut = 0; cut < 100; cut += 1) {
    it.newest().onclose?.({ code: 1006 })
    it.pass()
    it.greet()
    calls = 0
    it.hear(snapshot)
    expect(calls).toBe(1)
  }
  expect(it.sockets).toHaveLength(101)
  expect(it.timers).toHaveLength(timers)
  it.sockets[0]?.onmessage?.({ data: JSON.stringify({ ...snapshot, robots: [row(1, { battery: 1 })] }) })
  expect(it.store.robot(1)?.row.battery).toBe(50)
  expect(it.store.connection().state).toBe('live')
})

test('a socket that brings nothing, not even beats, is a lost connection', () => {
  live()
  it.world.now += 6000
  it.hear({ kind: 'beat' })
  it.world.now += 6000
  it.pass()
  expect(it.store.connection()).toMatchObject({ state: 'live', lastFrameAt: 7000 })
  it.world.now += 4000
  it.pass()
  expect(it.store.connection()).toMatchObject({ state: 'lost', lastFrameAt: 7000 })
  expect(it.newest().closed).toBe(true)
})

test('a socket that never greets is given up', () => {
  it.store.show({ counts: true })
  it.pass()
  it.world.now += 10_000
  it.pass()
  expect(it.newest().closed).toBe(true)
  expect(it.store.connection().state).toBe('lost')
})

test('the network of the device ends the connection at once, and brings it back without a wait', () => {
  live()
  it.store.lose()
  expect(it.store.connection().state).toBe('lost')
  it.store.reconnect()
  expect(it.sockets).toHaveLength(2)
  it.greet()
  expect(it.store.connection().state).toBe('live')
  it.store.reconnect()
  expect(it.sockets).toHaveLength(2)
})

test('a socket closed for the session ends the session and does not come back', () => {
  live()
  it.newest().onclose?.({ code: 4401 })
  expect(it.world.ended).toBe(1)
  expect(it.timers).toEqual([])
})

test('a canvas gets raw frames of its robot, and cells in full when it begins', () => {
  live()
  const got: unknown[] = []
  const before = it.newest().sent.length
  it.store.subscribe(1, 'cells', (data) => got.push(data))
  it.pass()
  expect(it.newest().sent).toHaveLength(before + 1)
  it.hear({ kind: 'snapshot', seq: 1, robots: [] })
  it.hear({ kind: 'cells', seq: 2, id: 1, at: 5, data: { seq: 1 } })
  it.hear({ kind: 'cells', seq: 3, id: 2, at: 5, data: { seq: 9 } })
  expect(got).toEqual([{ seq: 1 }])
})

test('log-out leaves nothing of the account', () => {
  live()
  it.hear({ kind: 'snapshot', seq: 1, robots: [row(1)] })
  it.store.stop()
  expect(it.store.robot(1)).toBeUndefined()
  expect(it.newest().closed).toBe(true)
  expect(it.store.connection().state).toBe('off')
})

test('[state.device_online] age counts what the server knew; at work 3 s are stale, at rest 10 s, then offline', () => {
  const seen = (mode: LiveRow['mode']) => ({ row: row(1, { mode, ageMs: 400 }), receivedAt: 1000 })
  expect(ageOf(seen('idle'), 1600)).toBe(1000)
  expect(freshness(seen('cleaning'), 3000, 15_000)).toBe('fresh')
  expect(freshness(seen('cleaning'), 4000, 15_000)).toBe('stale')
  expect(freshness(seen('idle'), 4000, 15_000)).toBe('fresh')
  expect(freshness(seen('idle'), 12_000, 15_000)).toBe('stale')
  expect(freshness(seen('idle'), 16_000, 15_000)).toBe('offline')
})

test('call listeners to robots once for a frame with rows of them, and for no other frame', () => {
  live()
  let calls = 0
  const stop = it.store.listenTo([1, 2], () => {
    calls += 1
  })
  it.hear({ kind: 'robots', seq: 1, robots: [row(1), row(2)] })
  expect(calls).toBe(1)
  it.hear({ kind: 'robots', seq: 2, robots: [row(3)] })
  it.hear({ kind: 'counts', seq: 3, modes: {}, total: 3 })
  expect(calls).toBe(1)
  it.store.stop()
  expect(calls).toBe(2)
  stop()
})

test('an equal list of banners stays the same object', () => {
  live()
  it.hear({ kind: 'robots', seq: 1, robots: [row(1, { banners: ['brake'] })] })
  const before = it.store.robot(1)?.row.banners
  it.hear({ kind: 'robots', seq: 2, robots: [row(1, { banners: ['brake'] })] })
  expect(it.store.robot(1)?.row.banners).toBe(before)
  it.hear({ kind: 'robots', seq: 3, robots: [row(1, { banners: ['low_battery'] })] })
  expect(it.store.robot(1)?.row.banners).toEqual(['low_battery'])
})

test('pass on topics that became stale, without taking them for a sign of the fleet', () => {
  live()
  const words: unknown[] = []
  const stop = it.store.listenToStale((topics) => words.push(topics))
  it.pass()
  expect(it.newest().sent.at(-1)).toMatchObject({ show: { stale: true } })
  it.hear({ kind: 'snapshot', seq: 1, robots: [] })
  const { lastFrameAt } = it.store.connection()
  it.world.now += 5000
  it.hear({ kind: 'stale', seq: 2, topics: ['map'] })
  expect(words).toEqual([['map']])
  expect(it.store.connection().lastFrameAt).toBe(lastFrameAt)
  stop()
  it.pass()
  expect(it.newest().sent.at(-1)).toMatchObject({ show: { stale: false } })
})

test('ask once for what became stale while the first page was read and the socket opened', () => {
  it.store.listenToStale(() => {}, it.world.now - 1500)
  it.pass()
  it.world.now += 500
  it.greet()
  expect(it.newest().sent.at(-1)).toMatchObject({ show: { stale: true, reading: 2 } })
  it.hear({ kind: 'snapshot', seq: 1, robots: [] })
  it.store.show({ counts: true })
  it.pass()
  expect(it.newest().sent.at(-1)).toMatchObject({ show: { counts: true, stale: true, reading: 0 } })
})

test('everything is stale after a lost connection or a gap in the numbers, once', () => {
  live()
  const words: unknown[] = []
  it.store.listenToStale((topics) => words.push(topics))
  it.hear({ kind: 'snapshot', seq: 1, robots: [] })
  expect(words).toEqual([])
  it.hear({ kind: 'robots', seq: 3, robots: [] })
  it.hear({ kind: 'snapshot', seq: 4, robots: [] })
  expect(words).toEqual([undefined])
  it.newest().onclose?.({ code: 1006 })
  it.pass()
  it.greet()
  it.hear({ kind: 'snapshot', seq: 1, robots: [] })
  it.hear({ kind: 'snapshot', seq: 2, robots: [] })
  expect(words).toEqual([undefined, undefined])
})

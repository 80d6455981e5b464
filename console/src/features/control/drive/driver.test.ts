import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RelayRefusal } from '@/shared/relay/relay'
import { createDriver, type Driving, EVERY_MS, type Velocity } from './driver'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function stand(answer: (velocity: Velocity) => Promise<Partial<Driving>> = async () => ({})) {
  const sent: Velocity[] = []
  const refused: unknown[] = []
  const times: unknown[] = []
  let streams = 0
  const driver = createDriver({
    send: (velocity) => {
      sent.push(velocity)
      return answer(velocity)
    },
    refused: (error) => refused.push(error),
    held: () => {},
    clock: { ask: () => (at) => times.push(at), read: () => 5000 },
    name: () => `s${++streams}`,
  })
  driver.limits = { linear: 0.5, angular: 0.8 }
  return { driver, sent, refused, times }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('[call.relay.common.cmdvel_ctrl] while the stick is held, ten commands a second go out, in turn and with the robot’s time', async () => {
  const { driver, sent } = stand()
  driver.hold('stick', { x: 0, y: 1 })
  await pass(1000 - 1)
  expect(sent).toHaveLength(10)
  expect(sent[0]).toEqual({ linear: 0.5, angular: 0, stream: 's1', seq: 1, at: 5000 })
  expect(sent.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('let go: one command to stand, at once, and then silence', async () => {
  const { driver, sent } = stand()
  driver.hold('stick', { x: 1, y: 0 })
  await pass(EVERY_MS)
  driver.letGo('stick')
  const last = sent.at(-1)
  expect([last?.linear, last?.angular, last?.seq]).toEqual([0, 0, 3])
  await pass(5000)
  expect(sent).toHaveLength(3)
})

test('stop the robot with the page, and hold nothing afterwards', async () => {
  const { driver, sent } = stand()
  driver.hold('keys', { x: 0, y: 1 })
  driver.hold('pad', { x: 0, y: -1 })
  driver.halt()
  expect(sent.at(-1)).toMatchObject({ linear: 0, angular: 0 })
  const count = sent.length
  await pass(1000)
  expect(sent).toHaveLength(count)
  driver.halt()
  expect(sent).toHaveLength(count) // a robot that stands is sent nothing more
})

test('of two inputs the newest counts, and one let go leaves the other', async () => {
  const { driver, sent } = stand()
  driver.hold('keys', { x: 0, y: 1 })
  driver.hold('stick', { x: 0, y: -1 })
  await pass(EVERY_MS)
  expect(sent.at(-1)?.linear).toBe(-0.5)
  driver.letGo('stick')
  await pass(EVERY_MS)
  expect(sent.at(-1)?.linear).toBe(0.5)
  driver.letGo('unknown')
  expect(driver.driving).toBe(true)
})

test('right of the stick turns clockwise; no corner is faster than the limit', async () => {
  const { driver, sent } = stand()
  driver.hold('stick', { x: 1, y: 1 })
  expect(sent[0]).toMatchObject({ linear: 0.354, angular: -0.566 })
})

test('queue no commands on a silent connection, but send a stop', async () => {
  const { driver, sent } = stand(() => new Promise(() => {}))
  driver.hold('stick', { x: 0, y: 1 })
  await pass(2000)
  expect(sent).toHaveLength(3)
  driver.letGo('stick')
  expect(sent).toHaveLength(4)
  expect(sent[3]?.linear).toBe(0)
})

test('let go after a refusal and show it once; begin a new stream at the next grip', async () => {
  const { driver, sent, refused } = stand(async () => {
    throw new Error('fenced')
  })
  driver.hold('stick', { x: 0, y: 1 })
  await pass(1000)
  expect([sent.length, refused.length, driver.driving]).toEqual([1, 1, false])
  driver.hold('stick', { x: 0, y: 1 })
  expect(sent.at(-1)).toMatchObject({ stream: 's2', seq: 1 })
})

const late = new RelayRefusal(504, '', 'drive_late', '', 7000)

test('a command refused as late sets the clock by the robot’s time and does not end driving', async () => {
  let slow = 5
  const { driver, sent, refused, times } = stand(async () => {
    if (slow-- > 0) throw late
    return { at: 8000 }
  })
  driver.hold('stick', { x: 0, y: 1 })
  await pass(1000 - 1)
  expect([sent.length, refused.length, driver.driving]).toEqual([10, 0, true])
  expect(times).toEqual([...Array(5).fill(7000), ...Array(5).fill(8000)])
})

test('a line on which every command is late lets go after a second, and says why once', async () => {
  const { driver, sent, refused } = stand(async () => {
    throw late
  })
  driver.hold('stick', { x: 0, y: 1 })
  await pass(3000)
  expect([sent.length, refused, driver.driving]).toEqual([10, [late], false])
})

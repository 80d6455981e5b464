import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CHANGES, READS } from '../rpc/changes'
import { refreshAfter, topicsOf, topicsOfQuery } from '../rpc/topics'
import { StaleQueries } from './stale'

function setup() {
  const queries = new QueryClient()
  const timers: (() => void)[] = []
  const tab = { visible: true }
  const stale = new StaleQueries(queries, {
    after: (_, act) => {
      timers.push(act)
      return () => void timers.splice(timers.indexOf(act), 1)
    },
    random: () => 0,
    isVisible: () => tab.visible,
  })
  const stop = stale.start()
  const answers: (() => void)[] = []
  const stops: (() => void)[] = []
  /** Shows a query of this call; returns how often it was fetched. */
  const show = (path: string, more: object = {}) => {
    const fetches = { count: 0 }
    const observer = new QueryObserver(queries, {
      queryKey: [topicsOf(path)[0], path, {}],
      queryFn: () => {
        fetches.count += 1
        return new Promise<number>((resolve) => answers.push(() => resolve(fetches.count)))
      },
      ...more,
    })
    stops.push(observer.subscribe(() => undefined))
    return fetches
  }
  const pass = () => {
    for (const act of timers.splice(0)) act()
  }
  /** Answers all that was asked. */
  const answer = async () => {
    for (const give of answers.splice(0)) give()
    await new Promise((resolve) => setTimeout(resolve))
  }
  const end = () => {
    for (const leave of [stop, ...stops]) leave()
    queries.clear()
  }
  return { queries, stale, tab, timers, show, pass, answer, end }
}

let it: ReturnType<typeof setup>
beforeEach(() => {
  it = setup()
})
afterEach(() => it.end())

test('read anew only what shows a stale topic', async () => {
  const maps = it.show('/map/selectMap')
  const reports = it.show('/taskReport/list')
  await it.answer()
  it.stale.mark(['map'])
  it.pass()
  expect([maps.count, reports.count]).toEqual([2, 1])
})

test('topics that a query names beside those of its call make it stale too', async () => {
  const list = it.show('/device/selectDevicePc', { meta: { also: ['state'] } })
  await it.answer()
  it.stale.mark(['state'])
  it.pass()
  expect(list.count).toBe(2)
})

test('after a lost connection everything that is shown is read anew', async () => {
  const all = [it.show('/map/selectMap'), it.show('/hire/list')]
  await it.answer()
  it.stale.mark()
  it.pass()
  expect(all.map(({ count }) => count)).toEqual([2, 2])
})

test('words that come close together are one reading', async () => {
  const maps = it.show('/map/selectMap')
  await it.answer()
  it.stale.mark(['map'])
  it.stale.mark(['map', 'floor'])
  expect(it.timers).toHaveLength(1)
  it.pass()
  expect(maps.count).toBe(2)
})

test('read new alarms at once, with everything else that waits', async () => {
  const [maps, alarms] = [it.show('/map/selectMap'), it.show('/warn/listUnProcess')]
  await it.answer()
  it.stale.mark(['map'])
  it.stale.mark(['warn'])
  expect(it.timers).toHaveLength(0)
  expect([maps.count, alarms.count]).toEqual([2, 2])
})

test('a query that began after the word came is not read twice', async () => {
  it.stale.mark(['map'])
  const maps = it.show('/map/selectMap')
  await it.answer()
  it.pass()
  expect(maps.count).toBe(1)
})

test('a query on its way is not broken off, and is read once more when it is back', async () => {
  const maps = it.show('/map/selectMap')
  it.stale.mark(['map'])
  it.pass()
  expect(maps.count).toBe(1)
  await it.answer()
  expect(maps.count).toBe(2)
  await it.answer()
  expect(maps.count).toBe(2)
})

test('while nobody looks at the tab nothing is read; then everything that became stale', async () => {
  const maps = it.show('/map/selectMap')
  await it.answer()
  it.tab.visible = false
  it.stale.mark(['map'])
  it.pass()
  expect(maps.count).toBe(1)
  it.tab.visible = true
  it.stale.flush()
  expect(maps.count).toBe(2)
})

test('read a hidden part when it is shown next', async () => {
  const key = ['map', '/map/selectMap', {}]
  it.queries.setQueryData(key, 1)
  it.stale.mark(['map'])
  it.pass()
  expect(it.queries.getQueryState(key)?.isInvalidated).toBe(true)
})

test('a change reads anew what shows its topics, of whatever call', async () => {
  const own = it.show('/map/selectSync')
  const board = it.show('/board/overview')
  await it.answer()
  void refreshAfter(it.queries, '/map/syncMap')
  expect([own.count, board.count]).toEqual([2, 2])
})

test('topics of a call are the first word of its path, or what the server says', () => {
  expect(topicsOf('/hire/list')).toEqual(['hire'])
  expect(topicsOf('/board/overview')).toEqual(READS['/board/overview'])
  const places = { queryKey: ['device', '/device/selectDevicePlaces'], meta: { live: ['state'] } }
  expect(topicsOfQuery(places)).toEqual(['device'])
  expect(topicsOfQuery({ queryKey: ['taskReport', 'cells', 7], meta: undefined })).toEqual(['taskReport'])
  expect(Object.keys(CHANGES).filter((path) => path in READS)).toEqual([])
})

/** The tab's live socket and the hooks that read it. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useShallow } from 'zustand/shallow'
import { BASE } from '../base'
import { currentSession, end, useSessionStore } from '../session/session'
import type { LiveRow, Show } from './frames'
import { LiveStore, type Socket } from './store'

const url = () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${BASE}/api/live`

export const live = new LiveStore({
  open: () => new WebSocket(url()) as Socket,
  token: () => currentSession()?.token,
  ended: () => end(''),
  now: () => Date.now(),
  random: Math.random,
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
})

addEventListener('online', () => live.reconnect())
addEventListener('offline', () => live.lose())

useSessionStore.subscribe(({ session }) => {
  if (!session) live.stop()
})

/** Says what this part shows while it is mounted and visible: `useShow({ robots: ids, counts: true })`. */
export function useShow(wish: Partial<Show>) {
  const text = JSON.stringify(wish)
  useEffect(() => live.show(JSON.parse(text)), [text])
}

export const useCounts = () => useSyncExternalStore(live.listen, live.counts)
/** What each robot of the scope does, by its id, while something mounted shows `fleet`. */
export const useModes = () => useSyncExternalStore(live.listen, live.modes)
export const useConnection = () => useSyncExternalStore(live.listen, live.connection)
/** Who holds control of a robot, as the socket tells it (undefined until it changed once). */
export const useControlLive = (id: number) => useSyncExternalStore(live.listen, () => live.control(id))

/**
 * Part of a robot's newest row, undefined before one came: `useRobotPart(id, ({ mode }) => ({ mode }))`. Drawn anew when
 * a field of the part changes, not with each frame; what `select` leaves out is not there to be shown.
 */
export function useRobotPart<T>(id: number | undefined, select: (row: LiveRow) => T): T | undefined {
  const part = useShallow((row: LiveRow | undefined) => row && select(row))
  const listen = useCallback((listener: () => void) => live.listenTo(id === undefined ? [] : [id], listener), [id])
  return useSyncExternalStore(listen, () => part(id === undefined ? undefined : live.robot(id)?.row))
}

/** The same value of several robots, in the order of `ids`; undefined where no row came. */
export function useRobotParts<T extends string | number | boolean>(
  ids: readonly number[],
  select: (row: LiveRow) => T,
): readonly (T | undefined)[] {
  const parts = useShallow((rows: readonly (LiveRow | undefined)[]) => rows.map((row) => row && select(row)))
  const listen = useCallback((listener: () => void) => live.listenTo(ids, listener), [ids])
  return useSyncExternalStore(listen, () => parts(ids.map((id) => live.robot(id)?.row)))
}

/** Any small value of the connection; `select` must return the same object for the same picture. */
export const useLive = <T>(select: (store: LiveStore) => T): T => useSyncExternalStore(live.listen, () => select(live))

/** The clock, for ages: changes each `everyMs`. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now)
  const tick = useCallback(() => setNow(Date.now()), [])
  useEffect(() => {
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [tick, everyMs])
  return now
}

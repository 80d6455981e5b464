/** How the page of a wall looks after itself for weeks: size, night, outages, pixels that must not burn in. */
import { useEffect, useState } from 'react'
import { BASE } from '@/shared/base'
import { live, useNow } from '@/shared/live/live'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import { USUAL_LETTERS } from '@/shared/theme/tokens'

const MINUTE_MS = 60_000
const LOOK_MS = 5000
/** What the page is laid out for, px; a larger screen shows the same, larger. */
const LAID_OUT = { width: 1440, height: 810 } as const
const SMALLEST_PX = 1024 // narrower ones get one column, in the usual letters
const DRIFT_PX = 3
const NIGHT = { from: 21, until: 6 } as const // hours of the screen's own clock
const STALLED_MS = MINUTE_MS // the socket itself tries again all the time
const RELOAD_HOUR = 4 // each night: a new version comes, and what browsers pile up goes
const POINTER_MS = 4000

/** Scales all letters, and with them everything, to the screen. */
export function useScreenSize() {
  useEffect(() => {
    const root = document.documentElement
    const before = root.style.fontSize
    const scale = () => {
      const factor = Math.min(innerWidth / LAID_OUT.width, innerHeight / LAID_OUT.height)
      root.style.fontSize = innerWidth < SMALLEST_PX ? before : `${factor * USUAL_LETTERS}px`
    }
    scale()
    addEventListener('resize', scale)
    return () => {
      removeEventListener('resize', scale)
      root.style.fontSize = before
    }
  }, [])
}

/** Where the page stands this minute: round a square of a few pixels. */
export function useDrift(): string {
  const minute = Math.floor(useNow(MINUTE_MS) / MINUTE_MS)
  const corners = ['0 0', `${DRIFT_PX}px 0`, `${DRIFT_PX}px ${DRIFT_PX}px`, `0 ${DRIFT_PX}px`]
  return corners[minute % corners.length] ?? '0 0'
}

export interface Dimming {
  readonly on: boolean
  toggle(): void
}

export function isNight(at: Date): boolean {
  const hour = at.getHours()
  return hour >= NIGHT.from || hour < NIGHT.until
}

/** Whether the page is dim now, and whether it shall be at night. */
export function useDimming(): [boolean, Dimming] {
  const on = usePreference('wall-dimming', true)
  const now = useNow(MINUTE_MS)
  return [on && isNight(new Date(now)), { on, toggle: () => setPreference('wall-dimming', !on) }]
}

/** Whether the page shall be loaded anew: it stalled, or a night is over since it was loaded. */
export function isDue(now: number, loadedAt: number, lastFrameAt: number): boolean {
  if (now - Math.max(loadedAt, lastFrameAt) > STALLED_MS) return true
  const hour = new Date(now)
  hour.setHours(RELOAD_HOUR, 0, 0, 0)
  return loadedAt < hour.getTime() && now >= hour.getTime()
}

const reloadPage = () => location.reload()

/** Loads the page anew when it is due, but only from a server that answers: a browser's own error page would stay. */
export function useWatchdog(reload = reloadPage) {
  useEffect(() => {
    const loadedAt = Date.now()
    let asking = false
    const timer = setInterval(async () => {
      if (asking || document.hidden || !isDue(Date.now(), loadedAt, live.connection().lastFrameAt)) return
      asking = true
      const answer = await fetch(`${BASE}/`, { cache: 'no-store' }).catch(() => undefined)
      asking = false
      if (answer?.ok) reload()
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [reload])
}

/** Keeps the screen on, where the browser can. */
export function useWakefulness() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    const take = async () => {
      if (!document.hidden) lock = await navigator.wakeLock?.request('screen').catch(() => undefined)
    }
    void take()
    document.addEventListener('visibilitychange', take)
    return () => {
      document.removeEventListener('visibilitychange', take)
      void lock?.release()
    }
  }, [])
}

/** Whether somebody is at the pointer or the keys. */
export function usePointerMoves(): boolean {
  const [moves, setMoves] = useState(true) // as it opens
  useEffect(() => {
    let timer = setTimeout(() => setMoves(false), POINTER_MS)
    const moved = () => {
      setMoves(true)
      clearTimeout(timer)
      timer = setTimeout(() => setMoves(false), POINTER_MS)
    }
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const
    for (const event of events) addEventListener(event, moved)
    return () => {
      clearTimeout(timer)
      for (const event of events) removeEventListener(event, moved)
    }
  }, [])
  return moves
}

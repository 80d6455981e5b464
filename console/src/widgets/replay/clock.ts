/** The time that a replay shows: it stands, is moved by hand, or runs at a multiple of real time until the end. */
import { useEffect, useState } from 'react'

export const SPEEDS = [1, 10, 60, 300] as const
type Speed = (typeof SPEEDS)[number]

export interface Clock {
  readonly at: number
  readonly playing: boolean
  readonly speed: Speed
  moveTo(ms: number): void
  setSpeed(speed: Speed): void
  /** Starts or stops; at the end it begins anew. */
  toggle(): void
}

interface Start {
  readonly at?: number
  readonly speed?: Speed
}

export function useClock(length: number, start: Start = {}): Clock {
  const [at, setAt] = useState(start.at ?? 0)
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>(start.speed ?? 60)
  useEffect(() => {
    if (!playing) return
    let last = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const passed = (now - last) * speed
      last = now
      setAt((before) => Math.min(before + passed, length))
      frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing, speed, length])
  useEffect(() => {
    if (at >= length) setPlaying(false)
  }, [at, length])
  const toggle = () => {
    if (!playing && at >= length) setAt(0)
    setPlaying(!playing)
  }
  return { at, playing, speed, moveTo: (ms) => setAt(Math.min(Math.max(ms, 0), length)), setSpeed, toggle }
}

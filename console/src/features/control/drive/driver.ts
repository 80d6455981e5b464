/**
 * Driving by hand with a dead-man stop: while something is held, ten commands a second go out; as soon as nothing is, one
 * that says stand, and then silence, which stops the robot as well. A refusal lets go: whoever wants on grips anew. Only
 * a command that came late lets nobody go, for the robot brakes by itself and the next may be in time; a second of them does.
 */
import type { CommandAnswer, CommandPayload } from '@/shared/relay/contract'
import { RelayRefusal } from '@/shared/relay/relay'
import type { Clock } from './clock'

/** Right and forward, each −1 to 1. */
export interface Stick {
  readonly x: number
  readonly y: number
}

/** What comes late or out of turn does nothing on the robot; `at` is left out while its clock is not known. */
export type Velocity = CommandPayload<'cmdvel_ctrl'>
export type Driving = CommandAnswer<'cmdvel_ctrl'>

/** m/s and rad/s at the stick's end. */
export interface Limits {
  readonly linear: number
  readonly angular: number
}

interface World {
  /** The answer may tell the robot's time, `at`; so does the refusal of what came late. */
  send(velocity: Velocity): Promise<Partial<Driving>>
  refused(error: unknown): void
  /** What is held now: for the knob. */
  held(stick: Stick): void
  clock: Clock
  name(): string
}

export const EVERY_MS = 100
const MOST_WAITING = 3 // answers; a slow line gets fewer commands, never a queue of old ones
const MOST_LATE = 10 // commands in a row
const STILL: Stick = { x: 0, y: 0 }

const isLate = (error: unknown) => error instanceof RelayRefusal && error.reason === 'drive_late'
const rounded = (value: number) => Math.round(value * 1000) / 1000 || 0

/** Inside the unit circle. */
export function clipped({ x, y }: Stick): Stick {
  const far = Math.max(1, Math.hypot(x, y))
  return { x: x / far, y: y / far }
}

export type Driver = ReturnType<typeof createDriver>

export function createDriver(world: World) {
  const grips = new Map<string, Stick>()
  let limits: Limits = { linear: 0, angular: 0 }
  let timer: ReturnType<typeof setInterval> | undefined
  let stream = ''
  let seq = 0
  let waiting = 0
  let late = 0

  const say = ({ x, y }: Stick) => {
    seq += 1
    waiting += 1
    const at = world.clock.read()
    const setRobotTime = world.clock.ask()
    const velocity = { linear: rounded(y * limits.linear), angular: rounded(-x * limits.angular), stream, seq }
    world
      .send(at === undefined ? velocity : { ...velocity, at })
      .then((answer) => {
        setRobotTime(answer.at)
        late = 0
      })
      .catch((error: unknown) => {
        if (error instanceof RelayRefusal) setRobotTime(error.at)
        late += 1
        if (isLate(error) && late < MOST_LATE) return
        const driving = timer !== undefined
        release()
        if (driving) world.refused(error)
      })
      .finally(() => {
        waiting -= 1
      })
  }
  const newest = () => [...grips.values()].at(-1) ?? STILL
  const beat = () => {
    if (waiting < MOST_WAITING) say(newest())
  }
  const release = () => {
    grips.clear()
    clearInterval(timer)
    timer = undefined
    world.held(STILL)
  }
  /** Everything is let go: stands at once. */
  const halt = () => {
    if (timer === undefined) return
    release()
    say(STILL)
  }
  return {
    clock: world.clock,
    set limits(next: Limits) {
      limits = next
    },
    get driving() {
      return timer !== undefined
    },
    /** One of the inputs (stick, keys, pad) is held there. */
    hold: (input: string, stick: Stick) => {
      grips.delete(input) // the newest grip counts
      grips.set(input, clipped(stick))
      world.held(newest())
      if (timer !== undefined) return
      stream = world.name()
      seq = late = 0
      beat()
      timer = setInterval(beat, EVERY_MS)
    },
    letGo: (input: string) => {
      if (!grips.delete(input)) return
      if (grips.size === 0) halt()
      else world.held(newest())
    },
    halt,
  }
}

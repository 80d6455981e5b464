/** The driver of one robot on a page: whatever takes the page out of a person's hands stops the robot at once. */
import { useEffect, useMemo, useRef } from 'react'
import { relayCall } from '@/shared/relay/relay'
import { createClock } from './clock'
import { createDriver, type Driver, type Limits, type Stick } from './driver'
import { listenKeys, listenPads } from './inputs'

interface Props {
  deviceId: number
  /** The robot is driven by hand, by us, and answers. */
  armed: boolean
  limits: Limits
  onHeld(stick: Stick): void
  onRefused(error: unknown): void
}

export function useDriver({ deviceId, armed, limits, onHeld, onRefused }: Props): Driver {
  const callbacks = useRef({ onHeld, onRefused })
  callbacks.current = { onHeld, onRefused }
  const driver = useMemo(
    () =>
      createDriver({
        send: (velocity) => relayCall(deviceId, 'cmdvel_ctrl', velocity),
        refused: (error) => callbacks.current.onRefused(error),
        held: (stick) => callbacks.current.onHeld(stick),
        clock: createClock(),
        name: () => crypto.randomUUID(),
      }),
    [deviceId],
  )
  useEffect(() => {
    driver.limits = limits
  }, [driver, limits])
  useEffect(() => {
    if (!armed) return
    const stop = new AbortController()
    const { signal } = stop
    addEventListener('blur', driver.halt, { signal })
    addEventListener('pagehide', driver.halt, { signal })
    document.addEventListener('visibilitychange', () => document.hidden && driver.halt(), { signal })
    const quiet = [listenKeys(driver), listenPads(driver)]
    return () => {
      stop.abort()
      for (const end of quiet) end()
      driver.halt()
    }
  }, [driver, armed])
  return driver
}

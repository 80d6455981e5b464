/** A socket in place of the server's: frames reach the tab's live picture by the road that they come in the browser. */
import { act } from '@testing-library/react'
import { vi } from 'vitest'
import type { Fleet, LiveRow } from '@/shared/live/frames'
import { live } from '@/shared/live/live'
import type { Socket } from '@/shared/live/store'
import { NO_TELEMETRY, type Telemetry } from '@/shared/live/telemetry'
import { useSessionStore } from '@/shared/session/session'

function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1000
  if (typeof value === 'string') return `other ${value}`
  return Array.isArray(value) ? ['other'] : { other: 1 }
}

/** Of each field of a robot's state another value than LIVE_ROW's. */
const OTHER_TELEMETRY = Object.fromEntries(
  Object.entries(NO_TELEMETRY).map(([field, value]) => [field, other(value)]),
) as unknown as Telemetry

/** A robot at work, with each field that the socket sends. */
export const LIVE_ROW: LiveRow = {
  ...NO_TELEMETRY,
  ...{ id: 1, at: 1, ageMs: 0, x: 1, y: 1, yaw: 0, uncertainty: 0.1, speed: 0.3, online: 1 },
  ...{ mode: 'cleaning', modeName: '', help: '', offlineSince: null, offlineReason: null, banners: ['brake'] },
  ...{ battery: 61.8, liquid: 40, charging: false, simulated: 0, liftName: '', clockOff: 0 },
  ...{ mapName: 'floor', mapRevision: 3, mapId: 4, taskName: 'Lobby', run: 'r1' },
  ...{ progress: 0.5, cleaned: 40, planned: 80, remainingS: 90 },
}

/** Of each field that a control page shows another value than LIVE_ROW's. */
export const OTHER_ROW: Omit<LiveRow, 'id' | 'at' | 'ageMs'> = {
  ...OTHER_TELEMETRY,
  ...{ online: 0, mode: 'help', modeName: 'word', help: 'stuck', offlineSince: 5, offlineReason: 'restarting' },
  ...{ banners: ['low_battery'], battery: 58, liquid: 39, charging: true, simulated: 5, liftName: 'Lift A' },
  ...{ mapName: 'floor 2', mapRevision: 4, mapId: 5, taskName: 'Hall', run: 'r2', clockOff: -120_000 },
  ...{ progress: 0.51, cleaned: 41, planned: 81, remainingS: 80, uncertainty: 0.12 },
}

export interface LiveServer {
  /** A frame with these rows; what is not given is as in `LIVE_ROW`. */
  send(...rows: readonly Partial<LiveRow>[]): void
  /** What all robots do: the answer to a tab that shows them. */
  fleet(modes: Fleet): void
  /** What became stale. */
  stale(...topics: readonly string[]): void
  close(): void
}

/** Connects the tab. Somebody must be logged in afterwards too: `stage` may be called later. */
export async function connectLive(): Promise<LiveServer> {
  const sockets: Socket[] = []
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor() {
        sockets.push(this as unknown as Socket)
      }
      send() {}
      close() {}
    },
  )
  live.stop()
  useSessionStore.setState({ session: { userId: 3, token: 't' } as never })
  const hide = live.show({ robots: [LIVE_ROW.id] })
  await vi.waitFor(() => sockets.length === 1 || Promise.reject(new Error('not connected')))
  let seq = 0
  const frame = (content: object) => act(() => sockets[0]?.onmessage?.({ data: JSON.stringify(content) }))
  frame({ kind: 'hello', offlineAfterS: 15, silentAfterS: 10 })
  return {
    send: (...rows) => {
      seq += 1
      frame({ kind: 'robots', seq, robots: rows.map((row) => ({ ...LIVE_ROW, ...row })) })
    },
    fleet: (modes) => {
      seq += 1
      frame({ kind: 'snapshot', seq, robots: [], fleet: modes })
    },
    stale: (...topics) => {
      seq += 1
      frame({ kind: 'stale', seq, topics })
    },
    close: () => {
      hide()
      live.stop()
      vi.unstubAllGlobals()
    },
  }
}

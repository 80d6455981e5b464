/** What travels over the live socket, as the server's push writes it. */

import type { MODES, Telemetry } from './telemetry'

export type Mode = (typeof MODES)[number]

/** The live part of a robot; the same fields as in the device list. */
export interface LiveRow extends Telemetry {
  readonly id: number
  /** The robot's clock, ms. */
  readonly at: number
  readonly mode: Mode
  readonly online: number
  readonly offlineSince: number | null
  /** never_connected, no_heartbeat, switched_off or restarting. */
  readonly offlineReason: string | null
  readonly charging: boolean
  readonly mapId: number | null
  /** ms that its clock is ahead, below 0 behind; 0 while it is right. */
  readonly clockOff: number
  /** How old the row was when the server sent it. */
  readonly ageMs: number
}

export interface Counts {
  readonly total: number
  readonly modes: Readonly<Partial<Record<Mode, number>>>
}

export interface Control {
  readonly owner: string
  readonly ownerId: number | null
  readonly number: number
  readonly until: number
  /** Why the holder took it over from another; '' when nobody lost it. */
  readonly reason: string
  /** Who asked the holder for it last, and when; '' and 0: nobody. */
  readonly asker: string
  readonly askedAt: number
}

/** What a tab shows; the server sends nothing else. */
export interface Show {
  readonly robots: readonly number[]
  readonly cells: readonly number[]
  readonly detail: number | null
  readonly counts: boolean
}

/** Streams that pass by React: canvas parts take them raw. `support`: whether the customer lets these be seen now. */
export type Stream = 'lidar' | 'path' | 'cells' | 'support'

export type Frame =
  | { kind: 'hello'; offlineAfterS: number }
  | { kind: 'snapshot'; seq: number; robots: readonly LiveRow[]; counts?: Counts }
  | { kind: 'robots'; seq: number; robots: readonly LiveRow[] }
  | ({ kind: 'counts'; seq: number } & Counts)
  | { kind: Stream; seq: number; id: number; at: number; data: unknown }
  | ({ kind: 'control'; seq: number; id: number } & Control)
  | { kind: 'ended' }

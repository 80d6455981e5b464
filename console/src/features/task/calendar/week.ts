/**
 * What the calendar shows of occurrences: which cell each stands in, how it looks, and their sums. Colours are maps', so
 * that one sees where is cleaned; a word or a mark says the state.
 */
import type { Answer } from '@/shared/rpc/contract'
import { wall } from './days'

export type Calendar = Answer<'/task/calendar'>
export type Occurrence = Calendar['list'][number]
/** A run that no schedule began. */
export type OtherRun = Calendar['runs'][number]
export type Robot = Calendar['robots'][number]

/** What stands apart from the rest and may be looked at alone. */
export const NOTES = ['conflict', 'missed', 'stopped'] as const
export type Note = (typeof NOTES)[number]

export type Look = 'coming' | 'skipped' | 'running' | 'stopped' | 'past' | 'broken' | 'missed' | 'conflict'

const LOOKS: Readonly<Record<Occurrence['state'], Look>> = {
  planned: 'coming',
  skipped: 'skipped',
  waiting: 'stopped',
  charging: 'running',
  running: 'running',
  done: 'past',
  forced_end: 'past',
  cancelled: 'broken',
  interrupted: 'broken',
  missed: 'missed',
  unheard: 'missed',
}

/** `halted`: somebody has stopped its robot just now. */
export const lookOf = ({ state, conflict }: Pick<Occurrence, 'state' | 'conflict'>, halted: boolean): Look => {
  if (conflict) return 'conflict'
  return state === 'running' && halted ? 'stopped' : LOOKS[state]
}

export const noteOf = (look: Look): Note | undefined => NOTES.find((note) => note === look)

export const mapOf = ({ units }: Pick<Occurrence, 'units'>) => units[0]?.mapName ?? ''

/** Of its units that have reported; undefined while none has. */
export function coverageOf({ units }: Pick<Occurrence, 'units'>): number | undefined {
  const known = units.flatMap(({ coverage }) => coverage ?? [])
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined
}

const TONES = ['cleaning', 'moving', 'charging', 'manual'] as const
export type Tone = (typeof TONES)[number] | 'idle'

/** The maps that are cleaned in this time, by name; what comes after the fourth shares one colour. */
export function tonesOf(list: readonly Occurrence[]): ReadonlyMap<string, Tone> {
  const maps = [...new Set(list.map(mapOf))].filter(Boolean).sort((a, b) => a.localeCompare(b))
  return new Map(maps.map((map, n) => [map, TONES[n] ?? 'idle']))
}

/** A key that stays while an occurrence changes its state. */
export const keyOf = ({ deviceId, kind, schedule, start }: Occurrence) => `${deviceId}/${kind}/${schedule}/${start}`

/** By robot and day, in the order of their starts. */
export function cells<O extends { deviceId: number; start: string }>(
  list: readonly O[],
  zone: string,
): ReadonlyMap<string, readonly O[]> {
  const byCell = new Map<string, O[]>()
  for (const occurrence of list) {
    const key = `${occurrence.deviceId}/${wall(Date.parse(occurrence.start), zone).day}`
    byCell.set(key, [...(byCell.get(key) ?? []), occurrence])
  }
  return byCell
}

export interface Sums {
  /** That have begun, with those that no schedule began. */
  readonly past: number
  readonly coming: number
  readonly seconds: number
  readonly notes: Readonly<Record<Note, number>>
  /** The one reason of all that were missed, where they have only one. */
  readonly why: string | undefined
}

const SECOND_MS = 1000
const LOST: readonly Look[] = ['skipped', 'missed']

/** What was skipped or missed is no run. */
export function sums(
  list: readonly Occurrence[],
  others: readonly OtherRun[],
  halted: (deviceId: number) => boolean,
): Sums {
  const seen = list.map((occurrence) => ({ occurrence, look: lookOf(occurrence, halted(occurrence.deviceId)) }))
  const count = (note: Note) => seen.filter(({ look }) => look === note).length
  const runs = seen.filter(({ look }) => !LOST.includes(look))
  const reasons = new Set(seen.flatMap(({ occurrence, look }) => (look === 'missed' ? occurrence.reason : [])))
  const coming = runs.filter(({ occurrence }) => occurrence.state === 'planned').length
  const ofOthers = others.reduce((sum, { start, end }) => sum + (Date.parse(end) - Date.parse(start)) / SECOND_MS, 0)
  return {
    past: runs.length - coming + others.length,
    coming,
    seconds: runs.reduce((sum, { occurrence }) => sum + occurrence.seconds, ofOthers),
    notes: { conflict: count('conflict'), missed: count('missed'), stopped: count('stopped') },
    why: reasons.size === 1 ? [...reasons][0] || undefined : undefined,
  }
}

/** The list of maintenances as it is typed: what the server told, with what was changed, added and taken away. */
import type { Answer } from '@/shared/rpc/contract'

type Plan = Answer<'/maintain/findMaintainBySn'>['list'][number]

export interface Draft {
  readonly id: number | null
  readonly name: string
  readonly maintainDate: string | null
  readonly period: number | null
  readonly done: boolean
  readonly removed: boolean
}

export type Typed = Readonly<Record<string, Partial<Draft>>>
type Keyed = Draft & { readonly key: string }

const FRESH: Draft = { id: null, name: '', maintainDate: null, period: null, done: false, removed: false }

export function drafts(plans: readonly Plan[], typed: Typed): Keyed[] {
  const existing = plans.map(({ id, name, maintainDate, period }) => {
    const key = String(id)
    return { ...FRESH, id, name, maintainDate, period, ...typed[key], key }
  })
  const fresh = Object.entries(typed).filter(([key]) => key.startsWith('new'))
  return [...existing, ...fresh.map(([key, part]) => ({ ...FRESH, ...part, key }))].filter(({ removed }) => !removed)
}

/** By the draft's key: the first field that is wrong, and the key of the text that says why. */
export function faultsOf(rows: readonly Keyed[]): Map<string, { field: string; text: string }> {
  const faults = new Map<string, { field: string; text: string }>()
  const names = rows.map(({ name }) => name.trim().toLowerCase())
  rows.forEach(({ key, period }, place) => {
    const name = names[place] ?? ''
    if (!name) faults.set(key, { field: 'name', text: 'fault-name' })
    else if (names.indexOf(name) < place) faults.set(key, { field: 'name', text: 'fault-twice' })
    else if (!(period !== null && period > 0)) faults.set(key, { field: 'period', text: 'fault-hours' })
  })
  return faults
}

export const payloadOf = (rows: readonly Keyed[]) =>
  rows.map(({ id, name, maintainDate, period, done }) => ({ id, name, maintainDate, period: period ?? 0, done }))

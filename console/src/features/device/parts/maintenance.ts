/**
 * The list of maintenances as one form: a field is one thing of one plan, named by both ('7 period'), so that two who change
 * the same list differ by what each of them has changed. A plan is new under a name of its own until it is sent.
 */
import type { TextKey } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import type { FormField, FormRow, Values } from '@/widgets/form/fields'

export type Plans = Answer<'/maintain/findMaintainBySn'>
type Plan = Plans['list'][number]

export interface Draft {
  readonly name: string
  readonly maintainDate: string | null
  readonly period: number | null
  readonly done: boolean
  readonly removed: boolean
}

export type Keyed = Draft & { readonly key: string; readonly id: number | null }

const FRESH: Draft = { name: '', maintainDate: null, period: null, done: false, removed: false }
const PARTS = Object.keys(FRESH) as (keyof Draft)[]
const LABELS: Readonly<Record<keyof Draft, TextKey<'upkeep'>>> = {
  name: 'maintain-what',
  maintainDate: 'maintain-date',
  period: 'period',
  done: 'mark-done',
  removed: 'delete',
}

const fieldsOf = (key: string, draft: Draft): Values =>
  Object.fromEntries(PARTS.map((part) => [`${key} ${part}`, draft[part]]))

export const formRowOf = ({ list, updateTime }: Pick<Plans, 'list' | 'updateTime'>): FormRow & Values => ({
  ...Object.assign({}, ...list.map((plan) => fieldsOf(String(plan.id), { ...FRESH, ...pickPlan(plan) }))),
  updateTime,
})

const pickPlan = ({ name, maintainDate, period }: Plan) => ({ name, maintainDate, period })

const newKey = (number: number) => `new${number}`

/** The fields of one that is new. */
export const freshOf = (number: number) => fieldsOf(newKey(number), FRESH)

/** Those of the plans, and of so many that were added. */
export const formFields = (plans: readonly Plan[], added: number): readonly FormField<string, TextKey<'upkeep'>>[] =>
  [...plans.map(({ id }) => String(id)), ...Array.from({ length: added }, (_, number) => newKey(number))].flatMap(
    (key) => PARTS.map((part) => ({ name: `${key} ${part}`, label: LABELS[part] })),
  )

const keyOf = (name: string) => name.split(' ')[0] ?? ''

/** What is wrong with a field, by its text's key. */
export interface Fault {
  readonly field: string
  readonly text: TextKey<'upkeep'>
}

/** Name of the plan and key of the text for a field that somebody else has changed; the server names either alone. */
export function wordsOf(name: string, values: Values): { plan: string; label: TextKey<'upkeep'> | undefined } {
  const part = PARTS.find((entry) => name === entry || name.endsWith(` ${entry}`))
  if (!part) return { plan: name, label: undefined }
  return { plan: String(values[`${keyOf(name)} name`] ?? ''), label: LABELS[part] }
}

/** What stands in the list as it is typed; what was taken away does not. */
export const drafts = (values: Values): Keyed[] =>
  [...new Set(Object.keys(values).map(keyOf))]
    .map((key) => {
      const parts = Object.fromEntries(PARTS.map((part) => [part, values[`${key} ${part}`] ?? FRESH[part]]))
      return { ...(parts as unknown as Draft), key, id: key.startsWith('new') ? null : Number(key) } // as `fieldsOf` has laid them
    })
    .filter(({ removed }) => !removed)

/** By the draft's key: the first field that is wrong, and the key of the text that says why. */
export function faultsOf(rows: readonly Keyed[]): Map<string, Fault> {
  const faults = new Map<string, Fault>()
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

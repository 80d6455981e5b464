/**
 * What stands in a form. Faults show once somebody has tried to send; a newer row is taken over without losing what was
 * typed: untouched fields become theirs, and of a field that both have changed the user chooses. A form that has a name
 * begins with its draft, where one was left; secrets are in none.
 */
import { useEffect, useState } from 'react'
import type { TextKey } from '@/shared/i18n/text'
import { useDraft } from './draft/use-draft'
import { type FormField, type FormRow, merged, pick, typed, type Values } from './fields'

const pickNames = (names: readonly string[], from: Values): Values =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

interface Left {
  readonly base: Values
  readonly values: Values
  readonly at?: string
}

/** `V`: what the fields hold, where the screen knows it by name; `K`: the keys of their texts, where it has its own pack. */
export function useForm<V extends Values = Values, K extends TextKey = TextKey>(
  fields: readonly FormField<string, K>[],
  row: FormRow | undefined,
  start: V,
  /** What its draft is of. */
  name?: string,
) {
  const read = (from: Readonly<Record<string, unknown>>) => pick(fields, from) as V // what the fields name is `V`
  const begin = () => ({ values: read(row ?? start), at: row?.updateTime })
  const draft = useDraft<Left>(name)
  const { left } = draft
  const names = fields.flatMap((field) => (field.kind === 'secret' ? [] : [field.name]))
  const among = (from: Values) => pickNames(names, from)
  const [base, setBase] = useState(() => {
    const fresh = begin()
    return left ? { values: { ...fresh.values, ...among(left.base) }, at: left.at } : fresh
  })
  const [values, setValues] = useState(() => (left ? { ...base.values, ...among(left.values) } : base.values))
  const [submitted, setSubmitted] = useState(false)
  if (row && base.at === undefined) {
    // It begins with a row that comes later.
    setBase({ values: read(row), at: row.updateTime })
    setValues(read(row))
  }
  const faults: Readonly<Record<string, K>> = Object.fromEntries(
    fields.flatMap(({ name, rule }) => {
      const fault = rule?.(values[name] ?? null, values)
      return fault ? [[name, fault]] : []
    }),
  )
  const own = typed(fields, base.values, values)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is put by is made of these two
  useEffect(() => {
    const { at } = base
    const worth = names.some((key) => own.includes(key))
    draft.keep(worth ? { base: among(base.values), values: among(values), ...(at !== undefined && { at }) } : undefined)
  }, [base, values])
  const newer = row && row.updateTime !== base.at ? read(row) : undefined
  return {
    values,
    /** Of the row that the values began with: the server refuses them once it has another. */
    updateTime: base.at,
    change: (name: string, value: Values[string]) => setValues((all) => ({ ...all, [name]: value })),
    /** By a function where what is new goes by what is there: several may come at the same time. */
    changeAll: (part: Partial<V> | ((all: V) => Partial<V>)) =>
      setValues((all) => ({ ...all, ...(typeof part === 'function' ? part(all) : part) })),
    /** Key of the text that says what is wrong. */
    faultAt: (name: string) => (submitted ? faults[name] : undefined),
    /** Somebody tried to send it while something was wrong, and still is. */
    refused: submitted && Object.keys(faults).length > 0,
    /** Whether it can be sent; from now on it says why not. */
    ready: () => {
      setSubmitted(true)
      const ready = Object.keys(faults).length === 0
      if (ready) draft.send()
      return ready
    },
    /** What somebody else has saved meanwhile; undefined while the row is as the form began with it. */
    theirs: newer,
    /** Names of the fields that they have changed. */
    changed: newer ? typed(fields, base.values, newer) : [],
    typed: own,
    /** What a dialog of it is given. */
    closing: draft.closing,
    /** When it was typed that the form began with; undefined where it began with what stands there. */
    draftOf: draft.savedAt,
    /** Gives the draft up. */
    discard: () => {
      const fresh = begin()
      draft.discard()
      setBase(fresh)
      setValues(fresh.values)
    },
    /** Takes it over, or a row that has just come; `given`: the fields whose typed value goes. */
    takeOver: (given: readonly string[] = [], from = row) => {
      if (!from) return
      const theirs = read(from)
      setValues((all) => merged(fields, { base: base.values, values: all, theirs }, given) as V)
      setBase({ values: theirs, at: from.updateTime })
    },
  }
}

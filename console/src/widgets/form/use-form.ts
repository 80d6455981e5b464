/**
 * What stands in a form. Faults show once somebody has tried to send; a newer row is taken over without losing what was
 * typed: untouched fields become theirs, and of a field that both have changed the user chooses.
 */
import { useState } from 'react'
import { type FormField, type FormRow, merged, pick, typed, type Values } from './fields'

export function useForm(fields: readonly FormField[], row: FormRow | undefined, start: Values) {
  const [base, setBase] = useState(() => ({ values: pick(fields, row ?? start), at: row?.updateTime }))
  const [values, setValues] = useState(base.values)
  const [submitted, setSubmitted] = useState(false)
  const faults: Readonly<Record<string, string>> = Object.fromEntries(
    fields.flatMap(({ name, rule }) => {
      const fault = rule?.(values[name] ?? null, values)
      return fault ? [[name, fault]] : []
    }),
  )
  const newer = row && row.updateTime !== base.at ? pick(fields, row) : undefined
  return {
    values,
    /** Of the row that the values began with: the server refuses them once it has another. */
    updateTime: base.at,
    change: (name: string, value: Values[string]) => setValues((all) => ({ ...all, [name]: value })),
    /** Key of the text that says what is wrong. */
    faultAt: (name: string) => (submitted ? faults[name] : undefined),
    /** Whether it can be sent; from now on it says why not. */
    ready: () => {
      setSubmitted(true)
      return Object.keys(faults).length === 0
    },
    /** What somebody else has saved meanwhile; undefined while the row is as the form began with it. */
    theirs: newer,
    typed: typed(fields, base.values, values),
    /** Takes it over; `given`: the fields whose typed value goes. */
    takeOver: (given: readonly string[] = []) => {
      if (!newer) return
      setValues(merged(fields, { base: base.values, values, theirs: newer }, given))
      setBase({ values: newer, at: row?.updateTime })
    },
  }
}

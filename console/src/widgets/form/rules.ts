/** Rules of fields that many forms have. */
import type { TextKey } from '@/shared/i18n/text'
import type { Rule } from './fields'

/** Something must stand in it, or be chosen; `fault`: the key of the text that says so. */
export const needed =
  <K extends TextKey>(fault: K): Rule<K> =>
  (value) =>
    String(value ?? '').trim() === '' ? fault : undefined

export const required = needed('required-field')

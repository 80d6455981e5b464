/**
 * Texts by typed keys: one that stands in no pack does not compile. Only this folder speaks to i18next, whose own types
 * for keys cost the compiler minutes. A key that is put together (`mode-${mode}`) is checked by the type of its parts.
 */
import i18next, { type TFunction } from 'i18next'
import { useCallback } from 'react'
import { useTranslation as useUntyped } from 'react-i18next'
import type { Keys } from './keys'

export type Pack = keyof Keys

type Named = { [P in Pack]: `${P}:${Keys[P]}` }[Pack]

/** A key as a screen of this pack writes it: its own and those of `common` bare, any other after its pack's name. */
export type TextKey<P extends Pack = Pack> = Keys[P] | Keys['common'] | Named

/** What fills a text's places; `count` also chooses its plural form. */
type Values = Readonly<Record<string, unknown>>

export type Translate<K extends TextKey = TextKey> = (key: K, values?: Values) => string

/** The texts of a pack, again after a change of language; suspends while the pack loads. */
export function useTranslation<P extends Pack = 'common'>(pack?: P): { readonly t: Translate<TextKey<P>> } {
  const { t }: { t: TFunction } = useUntyped<string>(pack)
  return { t: useCallback((key: string, values: Values = {}) => t(key, values), [t]) }
}

/** For code that no component calls; the pack must have been loaded. */
export const translate: Translate<TextKey<'common'>> = (key, values = {}) => i18next.t(key, values)

/** For a key out of what servers and robots send, which may be newer than the console: its text, or the fallback. */
export const textOr = <K extends TextKey>(t: Translate<K>, key: string, fallback: string): string =>
  t(key as K, { defaultValue: fallback })

/** Whether a loaded pack has a text under a key that was put together from what a server or robot sent. */
export const isTextKey = <P extends Pack>(pack: P, key: string): key is Keys[P] => i18next.exists(`${pack}:${key}`)

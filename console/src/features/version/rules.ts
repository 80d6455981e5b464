/** The server's rules for versions, said before it is asked. Each gives the key of a text. */
import type { TextKey } from '@/shared/i18n/text'
import type { Rule, Value } from '@/widgets/form/fields'
import { needed } from '@/widgets/form/rules'

const text = (value: Value) => String(value ?? '').trim()

export const name = needed('fault-name')
export const softVersion = needed('fault-soft-version')
export const firmwareVersion = needed('fault-firmware-version')
export const versionNumber = needed('fault-version-number')

/** A type is chosen, or several are. */
export const model = needed('fault-model')

const KEY = /^[A-Za-z0-9_.:-]{1,100}$/

export const key: Rule<TextKey<'version'>> = (value) => (KEY.test(text(value)) ? undefined : 'fault-key')

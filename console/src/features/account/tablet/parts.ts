/** What a dealer gives a tablet: its pictures, a text and a colour. */

import type { TextKey } from '@/shared/i18n/text'
import { keysOf } from '@/shared/keys'
import type { Answer } from '@/shared/rpc/contract'
import type { Colour } from '@/shared/theme/palette'
import { COLOURS } from '@/shared/theme/tokens'
import type { FormField, FormRow } from '@/widgets/form/fields'
import { type Look, type Pictures, type Screen, TILES } from '@/widgets/tablet/look'

export const PICTURES: readonly (readonly [name: Pictures, label: TextKey<'tablet'>, screen: Screen])[] = [
  ['bootAnimation', 'boot-animation', 'boot'],
  ['loginBackground', 'login-background', 'login'],
  ['loginLogo', 'login-logo', 'login'],
  ['mainLogo', 'main-logo', 'home'],
  ['idleAnimation', 'idle-animation', 'rest'],
]

export const USUAL: Look = {
  ...{ bootAnimation: '', loginBackground: '', loginLogo: '', mainLogo: '', idleAnimation: '' },
  ...{ homeTiles: TILES.map(() => '').join(), aboutUs: '', themeColor: COLOURS.default.light },
}

const SHORTEST_ABOUT = 2 // characters

const chosen = (value: unknown): TextKey<'tablet'> | undefined =>
  String(value ?? '')
    .split(',')
    .every(Boolean)
    ? undefined
    : 'people:select-picture'

export const FIELDS: readonly FormField<keyof Look & string, TextKey<'tablet'>>[] = [
  ...PICTURES.map(([name, label]) => ({ name, label, rule: chosen })),
  { name: 'homeTiles', label: 'home-tiles', rule: chosen },
  {
    name: 'aboutUs',
    label: 'about-us',
    rule: (value) => ([...String(value).trim()].length < SHORTEST_ABOUT ? 'fault-about' : undefined),
  },
  { name: 'themeColor', label: 'theme-colour' },
]

export const tilesOf = (look: Look): readonly string[] => look.homeTiles.split(',')

export type Row = NonNullable<Answer<'/user/selectPadConfig'>['padConfig']>

export const formRowOf = (row: Row): FormRow => ({ ...row, homeTiles: row.homeTiles.join() })

/** Colour by its value in the call, the usual one first. */
export const THEMES = keysOf(COLOURS).map((name): readonly [string, Colour] => [COLOURS[name].light, name])

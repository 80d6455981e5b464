/** What a dealer gives a tablet: its pictures with the exact size of each, a text and a colour. */
import type { TextKey } from '@/shared/i18n/text'
import type { Answer, Payload } from '@/shared/rpc/contract'
import type { Colour } from '@/shared/theme/palette'
import { COLOURS } from '@/shared/theme/tokens'
import type { FormField, FormRow } from '@/widgets/form/fields'
import type { Size } from '@/widgets/picture/crop'

type Picture = Payload<'/user/uploadPadPicture'>['picture']

export const SCREENS = ['boot', 'login', 'home', 'about', 'rest'] as const
export type Screen = (typeof SCREENS)[number]

/** px. */
export const SIZES: Readonly<Record<Picture, Size>> = {
  bootAnimation: { width: 1280, height: 800 },
  loginBackground: { width: 1280, height: 800 },
  loginLogo: { width: 800, height: 326 },
  mainLogo: { width: 600, height: 270 },
  homeTile: { width: 326, height: 343 },
  idleAnimation: { width: 1280, height: 800 },
}
/** What each home tile leads to, in their order. */
export const TILES = ['task', 'map', 'task-report', 'alarm', 'return-to-charge', 'about-us'] as const

export type Pictures = Exclude<Picture, 'homeTile'>

export const PICTURES: readonly (readonly [name: Pictures, label: TextKey<'tablet'>, screen: Screen])[] = [
  ['bootAnimation', 'boot-animation', 'boot'],
  ['loginBackground', 'login-background', 'login'],
  ['loginLogo', 'login-logo', 'login'],
  ['mainLogo', 'main-logo', 'home'],
  ['idleAnimation', 'idle-animation', 'rest'],
]

/** `homeTiles`: six addresses with commas between them, as the call takes them too. */
export type Look = Readonly<Record<Pictures | 'homeTiles' | 'aboutUs' | 'themeColor', string>>

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
export const THEMES = (Object.keys(COLOURS) as Colour[]).map((name) => [COLOURS[name].light as string, name] as const)

/** What a tablet looks like: its pictures with the exact size of each, a text and a colour. */
import type { Payload } from '@/shared/rpc/contract'
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

/** `homeTiles`: six addresses with commas between them, as the call takes them too. */
export type Look = Readonly<Record<Pictures | 'homeTiles' | 'aboutUs' | 'themeColor', string>>

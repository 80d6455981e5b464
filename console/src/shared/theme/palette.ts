/** What a theme colour that a person chose makes of `primary`; and how well colours can be distinguished. */
import { COLOURS, colourOf, type Mode, SHADE } from './tokens'

export type Colour = keyof typeof COLOURS
export const isColour = (name: unknown): name is Colour => typeof name === 'string' && name in COLOURS

export interface Primary {
  readonly main: string
  readonly hover: string
  readonly active: string
  /** Tint behind selected things. */
  readonly tint: string
  readonly tintHover: string
  /** Text on the filled colour. */
  readonly on: string
}

const channels = (hex: string) => [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16))

/** So much of `over` laid on `under`. */
function mix(over: string, under: string, part: number): string {
  const below = channels(under)
  const mixed = channels(over).map((c, i) => Math.round(c * part + (below[i] ?? 0) * (1 - part)))
  return `#${mixed.map((c) => c.toString(16).padStart(2, '0')).join('')}`.toUpperCase()
}

export function primary(colour: Colour, mode: Mode): Primary {
  const main = COLOURS[colour][mode]
  const on = colourOf('on-primary', mode)
  if (colour === 'default')
    return {
      main,
      on,
      hover: colourOf('primary-hover', mode),
      active: colourOf('primary-active', mode),
      tint: colourOf('primary-tint', mode),
      tintHover: colourOf('primary-tint-hover', mode),
    }
  const surface = colourOf('surface', mode)
  return mode === 'light'
    ? {
        main,
        on,
        hover: mix(SHADE.light, main, 0.18),
        active: mix(SHADE.light, main, 0.34),
        tint: mix(main, surface, 0.09),
        tintHover: mix(main, surface, 0.13),
      }
    : {
        main,
        on,
        hover: mix(SHADE.dark, main, 0.16),
        active: main,
        tint: mix(main, surface, 0.16),
        tintHover: mix(main, surface, 0.2),
      }
}

/** WCAG 2 contrast ratio of two colours. */
export function contrast(a: string, b: string): number {
  const light = (hex: string) => {
    const [r = 0, g = 0, bl = 0] = channels(hex).map((c) => {
      const s = c / 255
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * bl
  }
  const [high = 0, low = 0] = [light(a), light(b)].sort((x, y) => y - x)
  return (high + 0.05) / (low + 0.05)
}

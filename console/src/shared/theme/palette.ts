/** The colours of the look. Theme colours change `primary` only; states and maps keep theirs (theme.css). */
export const COLOURS = {
  green: { light: '#017465', dark: '#2FB09D' },
  'deep-blue': { light: '#1D3F94', dark: '#8FA8F0' },
  'sky-blue': { light: '#0B6A94', dark: '#5BB8E0' },
  blue: { light: '#1B64C8', dark: '#8DBEFF' },
  purple: { light: '#6B3FA0', dark: '#BD9BF0' },
  red: { light: '#A81B1B', dark: '#FF7A70' },
  yellow: { light: '#8A5A00', dark: '#EDB550' },
} as const

export type Colour = keyof typeof COLOURS
export const isColour = (name: unknown): name is Colour => typeof name === 'string' && name in COLOURS

export const SURFACE = { light: '#FFFFFF', dark: '#141D1B' } as const
const ON_PRIMARY = { light: '#FFFFFF', dark: '#06201C' } as const

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

const GREEN = {
  light: { hover: '#015E52', active: '#014B42', tint: '#E6F4F1', tintHover: '#D9EEEA' },
  dark: { hover: '#4AC5B3', active: '#2FB09D', tint: '#12332E', tintHover: '#14382F' },
} as const

export function primary(colour: Colour, mode: 'light' | 'dark'): Primary {
  const main = COLOURS[colour][mode]
  const on = ON_PRIMARY[mode]
  if (colour === 'green') return { main, on, ...GREEN[mode] }
  return mode === 'light'
    ? {
        main,
        on,
        hover: mix('#000000', main, 0.18),
        active: mix('#000000', main, 0.34),
        tint: mix(main, SURFACE.light, 0.09),
        tintHover: mix(main, SURFACE.light, 0.13),
      }
    : {
        main,
        on,
        hover: mix('#FFFFFF', main, 0.16),
        active: main,
        tint: mix(main, SURFACE.dark, 0.16),
        tintHover: mix(main, SURFACE.dark, 0.2),
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

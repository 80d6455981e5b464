/**
 * The look in values, each of them once. `node scripts/styles.ts` writes theme.css from them; Ant Design's theme, the map and
 * the tests of contrast read the same. No other file says a colour, a size, a distance, a radius or a width of a screen.
 */
export type Mode = 'light' | 'dark'
type Pair = readonly [light: string, dark: string]

/** Theme colours that a person may choose: they change `primary` only; states and maps keep theirs. */
export const COLOURS = {
  default: { light: '#017465', dark: '#2FB09D' },
  green: { light: '#2A6E1E', dark: '#7FC46B' },
  'deep-blue': { light: '#1D3F94', dark: '#8FA8F0' },
  'sky-blue': { light: '#0B6A94', dark: '#5BB8E0' },
  blue: { light: '#1B64C8', dark: '#8DBEFF' },
  purple: { light: '#6B3FA0', dark: '#BD9BF0' },
  red: { light: '#A63E12', dark: '#FF9B7A' },
  yellow: { light: '#8A5A00', dark: '#EDB550' },
} as const

/** What a theme colour is mixed with where it darkens (light) or glows (dark) under the pointer. */
export const SHADE = { light: '#000000', dark: '#FFFFFF' } as const

/** By role: what it is for, not what it looks like. */
export const COLOUR = {
  page: ['#F2F6F5', '#0D1413'],
  surface: ['#FFFFFF', '#141D1B'],
  raised: ['#FFFFFF', '#1B2624'],
  sunk: ['#F7FAF9', '#101817'],
  border: ['#DCE5E2', '#2A3734'],
  'control-border': ['#7F8F8B', '#6F807C'],
  text: ['#13201E', '#E7EFED'],
  'text-2': ['#43524F', '#B4C3BF'],
  'text-3': ['#5B6A67', '#93A39F'],
  primary: ['#017465', '#2FB09D'],
  'primary-hover': ['#015E52', '#4AC5B3'],
  'primary-active': ['#014B42', '#2FB09D'],
  'primary-tint': ['#E6F4F1', '#12332E'],
  'primary-tint-hover': ['#D9EEEA', '#14382F'],
  'on-primary': ['#FFFFFF', '#06201C'],
  brand: ['#017465', '#017465'],
  'on-brand': ['#FFFFFF', '#FFFFFF'],
  'state-cleaning': ['#017465', '#2FB09D'],
  'state-cleaning-tint': ['#E6F4F1', '#12332E'],
  'state-moving': ['#1B64C8', '#8DBEFF'],
  'state-moving-tint': ['#E9F1FC', '#172845'],
  'state-charging': ['#4A2DB0', '#9E86F7'],
  'state-charging-tint': ['#F0EDFC', '#262044'],
  'state-idle': ['#43524F', '#B4C3BF'],
  'state-idle-tint': ['#EDF2F0', '#202B29'],
  'state-paused': ['#946000', '#EDB550'],
  'state-paused-tint': ['#FDF3DD', '#33280F'],
  'state-help': ['#A81B1B', '#FF7A70'],
  'state-help-tint': ['#FDEDEB', '#3A1B19'],
  'state-manual': ['#9C2470', '#FFA0D8'],
  'state-manual-tint': ['#FAEAF4', '#3A1A2F'],
  'state-offline': ['#64716D', '#8B9A96'],
  'state-offline-tint': ['#F2F4F4', '#1A2321'],
  stop: ['#A81B1B', '#C62828'],
  'stop-hover': ['#941818', '#AE2323'],
  'stop-active': ['#801515', '#961E1E'],
  'on-stop': ['#FFFFFF', '#FFFFFF'],
  knock: ['#FFFFFF', '#0B1513'],
  past: ['#3A9C8B', '#23786B'],
  'm-out': ['#E9EFED', '#0F1715'],
  'm-floor': ['#FFFFFF', '#1D2926'],
  'm-wall': ['#22322F', '#A9BBB6'],
  'm-obstacle': ['#D5DDDA', '#33423E'],
  'm-obstacle-line': ['#B3C0BC', '#4B5D58'],
  'm-clean': ['#BFE3DB', '#14594F'],
  'm-lane': ['#8CCDBF', '#23786B'],
  'm-plan': ['#1E4FA3', '#8DBEFF'],
  'm-drive': ['#017465', '#4FD3BE'],
  'm-lidar': ['#C0267A', '#FF8FCB'],
  'm-zone': ['#A81B1B', '#FF7A70'],
  'm-zone-tint': ['#A81B1B12', '#FF7A701A'],
  'm-miss': ['#946000', '#EDB550'],
  'm-miss-tint': ['#FFE2A1', '#5A4415'],
  'm-label': ['#43524F', '#B6C5C1'],
  veil: ['#00000059', '#00000059'],
} as const satisfies Record<string, Pair>

/** Elevation: 1 floats on a map or opens from a control, 2 stands before the page. */
export const SHADOW = {
  '1': ['0 4px 16px #0F28231A', '0 6px 20px #00000080'],
  '2': ['0 4px 16px #0F28231A, 0 1px 3px #0F282314', '0 6px 20px #00000080'],
} as const satisfies Record<string, Pair>

/** px. `panel` is the room inside of a panel; page edges and what lies between panels have `xl` and `l`. */
export const SPACE = { xxs: 2, xs: 4, s: 6, m: 8, l: 12, panel: 14, xl: 16, xxl: 24, xxxl: 32 } as const

/** px. */
export const RADIUS = { lane: 2, tag: 5, control: 6, panel: 8, pill: 999 } as const

/** px of the letters and of their line; 400 and 600 are the only weights. */
export const TYPE = {
  label: [11, 16],
  small: [12, 18],
  control: [13, 20],
  body: [14, 22],
  title: [18, 24],
  count: [24, 28],
  number: [32, 36],
  wall: [60, 64],
} as const

/** px of what repeats: lines of tables and menus, controls, the frame of the page. */
export const HEIGHT = {
  row: 28,
  'row-of-two': 46,
  'control-small': 26,
  control: 30,
  'control-large': 36,
  stop: 46,
  'menu-item': 34,
  tabs: 36,
  header: 48,
} as const

/** px of controls where fingers point. */
export const TOUCH = { 'control-small': 40, control: 44, 'control-large': 48, 'menu-item': 44, tabs: 44 } as const

/** px of the fields in which lists are searched. */
export const WIDTH = { search: 260 } as const

/** What lies above what. */
export const LAYER = { float: 1, sticky: 5, veil: 10, drawer: 11, skip: 20 } as const

/** px from which on a screen counts as a phone held sideways, a tablet, a laptop, a desktop. */
export const BREAKPOINT = { landscape: 600, tablet: 768, laptop: 1024, desktop: 1300 } as const

/** px: a browser's own size of letters, until somebody changes it. */
export const USUAL_LETTERS = 16

/** How many times the usual size of letters an interface has; what small makes smaller is its controls alone. */
export const SCALE = { small: 1, default: 1, large: 1.2 } as const

/** The media query of all screens narrower than that, measured in the browser's own letters. */
export const below = (name: keyof typeof BREAKPOINT) => `(max-width: ${(BREAKPOINT[name] - 1) / USUAL_LETTERS}em)`

export type Role = keyof typeof COLOUR
export const colourOf = (role: Role, mode: Mode): string => COLOUR[role][mode === 'light' ? 0 : 1]

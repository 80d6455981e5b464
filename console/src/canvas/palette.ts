/** Colours of the map by their roles, read from the theme's CSS variables (LOOK 2 and 5), with the light theme's values
 * where a page has none. The user's theme colour never changes them. */
const ROLES = {
  out: ['--m-out', '#e9efed'],
  floor: ['--m-floor', '#ffffff'],
  wall: ['--m-wall', '#22322f'],
  obstacle: ['--m-obstacle', '#d5ddda'],
  obstacleLine: ['--m-obstacle-line', '#b3c0bc'],
  clean: ['--m-clean', '#bfe3db'],
  lane: ['--m-lane', '#8ccdbf'],
  plan: ['--m-plan', '#1e4fa3'],
  drive: ['--m-drive', '#017465'],
  lidar: ['--m-lidar', '#c0267a'],
  zone: ['--m-zone', '#a81b1b'],
  zoneTint: ['--m-zone-tint', 'rgb(168 27 27 / 7%)'],
  miss: ['--m-miss', '#946000'],
  missTint: ['--m-miss-tint', '#ffe2a1'],
  block: ['--state-help', '#a81b1b'],
  blockTint: ['--state-help-tint', '#fdedeb'],
  unreachable: ['--text-3', '#5b6a67'],
  unreachableTint: ['--state-idle-tint', '#edf2f0'],
  free: ['--state-moving', '#1b64c8'],
  label: ['--m-label', '#43524f'],
  metre: ['--border', '#dce5e2'],
  /** Knocked out of filled marks. */
  knock: ['--knock', '#ffffff'],
  tip: ['--text', '#13201e'],
  tipText: ['--surface', '#ffffff'],
} as const

const STATES = {
  cleaning: ['--state-cleaning', '#017465'],
  moving: ['--state-moving', '#1b64c8'],
  riding: ['--state-moving', '#1b64c8'],
  charging: ['--state-charging', '#4a2db0'],
  idle: ['--state-idle', '#43524f'],
  paused: ['--state-paused', '#946000'],
  emergency: ['--state-paused', '#946000'],
  help: ['--state-help', '#a81b1b'],
  manual: ['--state-manual', '#9c2470'],
  offline: ['--state-offline', '#64716d'],
} as const

export type Mode = keyof typeof STATES
export type Palette = Readonly<Record<keyof typeof ROLES, string>> & {
  readonly state: Readonly<Record<Mode, string>>
  readonly font: string
}

/** The colours that hold at an element. Read them once per theme and keep the object: hatches are kept with it. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  const read = <Role extends string>(roles: Readonly<Record<Role, readonly [string, string]>>) => {
    const entries = Object.entries<readonly [string, string]>(roles)
    const values = entries.map(([role, [name, value]]) => [role, style.getPropertyValue(name).trim() || value])
    return Object.fromEntries(values) as Record<Role, string>
  }
  return { ...read(ROLES), state: read(STATES), font: style.fontFamily || 'sans-serif' }
}

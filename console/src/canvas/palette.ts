/** Colours of the map by their roles, read from the theme's CSS variables: tokens.ts is the one place that has values, for
 * light and dark. The user's theme colour never changes them. */
const USUAL_LETTERS = 16 // px: a browser's own size of letters, until somebody changes it

export const ROLES = {
  out: '--m-out',
  floor: '--m-floor',
  wall: '--m-wall',
  obstacle: '--m-obstacle',
  obstacleLine: '--m-obstacle-line',
  clean: '--m-clean',
  lane: '--m-lane',
  plan: '--m-plan',
  drive: '--m-drive',
  lidar: '--m-lidar',
  zone: '--m-zone',
  zoneTint: '--m-zone-tint',
  miss: '--m-miss',
  missTint: '--m-miss-tint',
  block: '--state-help',
  blockTint: '--state-help-tint',
  unreachable: '--text-3',
  unreachableTint: '--state-idle-tint',
  free: '--state-moving',
  label: '--m-label',
  metre: '--border',
  /** Knocked out of filled marks. */
  knock: '--knock',
  tip: '--text',
  tipText: '--surface',
} as const

export const STATES = {
  cleaning: '--state-cleaning',
  moving: '--state-moving',
  riding: '--state-moving',
  charging: '--state-charging',
  idle: '--state-idle',
  paused: '--state-paused',
  emergency: '--state-paused',
  help: '--state-help',
  manual: '--state-manual',
  offline: '--state-offline',
} as const

export type Mode = keyof typeof STATES
export type Palette = Readonly<Record<keyof typeof ROLES, string>> & {
  readonly state: Readonly<Record<Mode, string>>
  readonly font: string
  /** Size of letters, in times of the usual one. */
  readonly scale: number
}

/** The colours that hold at an element. Read them once per theme and keep the object: hatches are kept with it. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element)
  const letters = Number.parseFloat(getComputedStyle(element.ownerDocument.documentElement).fontSize)
  const read = <Role extends string>(roles: Readonly<Record<Role, string>>) =>
    Object.fromEntries(
      Object.entries<string>(roles).map(([role, name]) => [role, style.getPropertyValue(name).trim()]),
    ) as Record<Role, string>
  return {
    ...read(ROLES),
    state: read(STATES),
    font: style.fontFamily || 'sans-serif',
    scale: letters / USUAL_LETTERS || 1,
  }
}

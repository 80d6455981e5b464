/** What a browser is called, by names that are the same in every language. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const

/** "Chrome · Android". */
export function nameBrowser(agent: string): string {
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1] ?? 'Browser'
  const system = SYSTEMS.find((name) => agent.includes(name))
  return system ? `${browser} · ${system}` : browser
}

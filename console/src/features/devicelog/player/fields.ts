/** Numbers within a message, by their path: `pose.position.x`, `ranges.3`. */

/** Of a list so many entries are offered: a lidar's ranges are no lines to plot. */
const MOST_ENTRIES = 16
const MOST_FIELDS = 200

const isPlain = (value: unknown): value is number | bigint | boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'

const entriesOf = (value: object): [string, unknown][] =>
  Array.isArray(value) || ArrayBuffer.isView(value)
    ? Array.from(value as unknown as ArrayLike<unknown>, (entry, place) => [String(place), entry])
    : Object.entries(value)

export function numbersIn(message: unknown): string[] {
  const paths: string[] = []
  const walk = (value: unknown, path: string) => {
    if (isPlain(value)) {
      if (path && paths.length < MOST_FIELDS) paths.push(path)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const entries = entriesOf(value)
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) {
      for (const [name, entry] of entries) walk(entry, path ? `${path}.${name}` : name)
    } else if (entries.length <= MOST_ENTRIES) {
      for (const [name, entry] of entries) walk(entry, `${path}.${name}`)
    }
  }
  walk(message, '')
  return paths
}

/** undefined: there is no number at that path. */
export function pick(message: unknown, path: string): number | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((outer, name) => (outer as Record<string, unknown> | undefined | null)?.[name], message)
  return isPlain(value) ? Number(value) : undefined
}

/** As it is read: long lists are cut. */
export function write(message: unknown): string {
  return JSON.stringify(
    message,
    (_, value: unknown) => {
      if (typeof value === 'bigint') return String(value)
      const list = ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<unknown>) : value
      return Array.isArray(list) && list.length > MOST_ENTRIES
        ? [...list.slice(0, MOST_ENTRIES), `… ${list.length - MOST_ENTRIES}`]
        : list
    },
    2,
  )
}

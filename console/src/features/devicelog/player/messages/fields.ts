/** Numbers within a message, by their path: `pose.position.x`, `ranges.3`. */

/** Of a list so many entries are offered: a lidar's ranges are no lines to plot. */
const MOST_ENTRIES = 16
const MOST_FIELDS = 200

const isPlain = (value: unknown): value is number | bigint | boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'

export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value)

const entriesOf = (value: object): [string, unknown][] =>
  isList(value) ? Array.from(value, (entry, place) => [String(place), entry]) : Object.entries(value)

export function numbersIn(message: unknown): string[] {
  const paths: string[] = []
  const walk = (value: unknown, path: string) => {
    if (isPlain(value)) {
      if (path && paths.length < MOST_FIELDS) paths.push(path)
      return
    }
    if (typeof value !== 'object' || value === null) return
    if (isList(value) && value.length > MOST_ENTRIES) return
    for (const [name, entry] of entriesOf(value)) walk(entry, path ? `${path}.${name}` : name)
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
      if (!isList(value)) return value
      // Of a picture's millions of bytes no more than these are walked through.
      const first = Array.from({ length: Math.min(value.length, MOST_ENTRIES) }, (_, place) => value[place])
      return value.length > MOST_ENTRIES ? [...first, `… ${value.length - MOST_ENTRIES}`] : first
    },
    2,
  )
}

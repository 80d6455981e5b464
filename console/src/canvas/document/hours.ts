/** Hours of the day in which a zone, a room or a whole map is closed: HH:MM, an end before the start is the next day's. */
export interface Hours {
  readonly start: string
  readonly end: string
}

/** Digits and a dash read the same in every language: isolated, so that no script turns them round. */
export const sayHours = ({ start, end }: Hours) => `\u2066${start}–${end}\u2069`

/** The same element with other hours, or with none. */
export function withHours<T extends { readonly hours?: Hours }>(of: T, hours: Hours | undefined): T {
  const { hours: _, ...rest } = of
  return (hours ? { ...rest, hours } : rest) as T
}

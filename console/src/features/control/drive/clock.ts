/**
 * The robot's clock against this page's. An answer's time is of some moment between our asking and our reading it:
 * a slow answer says little, a quick one much, so what all of them allow together counts (Marzullo's rule of RFC 5905, 11.2.1).
 */

export type Clock = ReturnType<typeof createClock>

export function createClock(now = () => performance.now()) {
  let least = Number.NEGATIVE_INFINITY // the robot's clock minus ours, in ms
  let most = Number.POSITIVE_INFINITY
  return {
    /** Now something is asked; what it returns takes the robot's `at` in ms, if that came. */
    ask() {
      const sentAt = now()
      return (at: unknown) => {
        if (typeof at !== 'number') return
        const [low, high] = [at - now(), at - sentAt]
        least = Math.max(least, low)
        most = Math.min(most, high)
        if (least > most) [least, most] = [low, high] // one of the clocks was set
      }
    },
    /** The robot's clock now, in ms; undefined until it has answered. */
    read: () => (Number.isFinite(least) ? Math.round(now() + (least + most) / 2) : undefined),
  }
}

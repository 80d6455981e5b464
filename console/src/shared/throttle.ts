/** Runs at most once in so many ms: at once, and once more at their end if it was asked for meanwhile. */
export interface Throttled {
  (): void
  /** Forgets the run that waits. */
  cancel(): void
}

export function throttle(run: () => void, ms: number): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const start = () => {
    again = false
    run()
    timer = setTimeout(() => {
      timer = undefined
      if (again) start()
    }, ms)
  }
  const throttled = () => {
    if (timer === undefined) start()
    else again = true
  }
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
    again = false
  }
  return Object.assign(throttled, { cancel })
}

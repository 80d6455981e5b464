/** Reads anew what the server says became stale, and, should a word of it be lost, everything now and then. */
import { useEffect, useState } from 'react'
import { live } from '@/shared/live/live'
import { StaleQueries } from '@/shared/live/stale'
import { queryClient } from '../query-client'

const SAFETY_MS = 5 * 60_000

export function useStale() {
  const [began] = useState(Date.now) // before anything within the shell reads
  useEffect(() => {
    const stale = new StaleQueries(queryClient, {
      after: (ms, act) => {
        const timer = setTimeout(act, ms)
        return () => clearTimeout(timer)
      },
      random: Math.random,
      isVisible: () => !document.hidden,
    })
    const safety = setInterval(() => stale.mark(), SAFETY_MS)
    document.addEventListener('visibilitychange', stale.flush)
    const leave = [stale.start(), live.listenToStale(stale.mark, began)]
    return () => {
      clearInterval(safety)
      document.removeEventListener('visibilitychange', stale.flush)
      for (const end of leave) end()
    }
  }, [began])
}

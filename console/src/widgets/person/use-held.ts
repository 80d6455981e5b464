/** The keys that the logged-in account holds, hence may grant. */
import { useMemo } from 'react'
import { useSession } from '@/shared/session/session'

export function useHeld(): ReadonlySet<string> {
  const keys = useSession()?.permissionKeys
  return useMemo(() => new Set(Object.keys(keys ?? {})), [keys])
}

/** The dialog of whatever is being done with a robot; who shows robots asks for `useOnAction`. */
import { createContext, type ReactNode, Suspense, useContext, useState } from 'react'
import { useSession } from '@/shared/session/session'
import type { Listed } from '@/widgets/robot/robot'
import { ACTIONS, type Action } from './actions'
import { type Orders, useOrders } from './orders/use-orders'

type OnAction = (action: Action, row: Listed) => void

const Doing = createContext<OnAction>(() => {})
const Ordering = createContext<Orders>({ pause: () => {}, sendHome: () => {} })

export const useOnAction = () => useContext(Doing)
/** Orders to the robots that are shown within `Actions`. */
export const useOnOrder = () => useContext(Ordering)

/** Whether the asker's keys allow it. */
export function useAllowed(): (entry: { readonly needs: readonly string[] }) => boolean {
  const keys = useSession()?.permissionKeys ?? {}
  return ({ needs }) => needs.some((key) => keys[key] === true)
}

/** What the asker may do with this robot, and the robot can. */
export function useActions(row: Listed): readonly Action[] {
  const allowed = useAllowed()
  return ACTIONS.filter((action) => allowed(action) && (action.fits?.(row) ?? true))
}

export function Actions({ children }: { children: ReactNode }) {
  const [at, setAt] = useState<{ action: Action; row: Listed }>()
  const [orders, dialogs] = useOrders()
  return (
    <Doing value={(action, row) => setAt({ action, row })}>
      <Ordering value={orders}>
        {children}
        <Suspense>{at && <at.action.Dialog row={at.row} onClose={() => setAt(undefined)} />}</Suspense>
        <Suspense>{dialogs}</Suspense>
      </Ordering>
    </Doing>
  )
}

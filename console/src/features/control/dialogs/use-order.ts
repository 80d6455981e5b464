/** An order out of a dialog: what the robot refuses is said at the field that it names, else underneath. */
import { useState } from 'react'
import { command, type Order } from '@/shared/relay/life'
import { type Flat, RelayRefusal } from '@/shared/relay/relay'
import { useRefusalText } from '@/widgets/refusal-text'
import { useScope } from '../scope'

export function useOrder(fields: readonly string[] = []) {
  const { deviceId } = useScope()
  const text = useRefusalText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const named = error instanceof RelayRefusal ? error.field.replace(/^params\./, '') : ''
  const message = error === undefined ? undefined : text(error)
  const send = async (order: Order): Promise<Flat | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      return await command(deviceId, order)
    } catch (refusal) {
      setError(refusal)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return {
    busy,
    send,
    problem: fields.includes(named) ? undefined : message,
    problemAt: (field: string) => (field === named && fields.includes(field) ? message : undefined),
  }
}

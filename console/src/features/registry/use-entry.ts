/** Which entry of a list is edited, or `'new'`, and which is to be deleted. */
import { useState } from 'react'

export function useEntry<R>(deeds: readonly { reset(): void }[]) {
  const [open, setOpen] = useState<number | 'new'>()
  const [leaving, setLeaving] = useState<R>()
  const close = () => {
    for (const deed of deeds) deed.reset()
    setOpen(undefined)
    setLeaving(undefined)
  }
  return { open, setOpen, leaving, setLeaving: (row: R) => setLeaving(() => row), close }
}

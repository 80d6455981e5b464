/**
 * Rows that do not jump under the pointer: while it rests on a list, rows stay in the sequence in which they were shown;
 * new ones come last. When it leaves, or `key` changes, the list's own order is back.
 */
import { useState } from 'react'

/** Put on what the pointer rests on. */
export interface Hold {
  onPointerEnter(): void
  onPointerLeave(): void
}

export function inSequence<R>(rows: readonly R[], idOf: (row: R) => number, sequence: readonly number[]): readonly R[] {
  const places = new Map(sequence.map((id, place) => [id, place]))
  const placeOf = (row: R) => places.get(idOf(row)) ?? sequence.length
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b))
}

export function useSteadyRows<R>(
  rows: readonly R[],
  idOf: (row: R) => number,
  key: string,
): { readonly rows: readonly R[]; readonly hold: Hold } {
  const [held, setHeld] = useState<{ readonly key: string; readonly sequence: readonly number[] }>()
  const steady = held?.key === key ? inSequence(rows, idOf, held.sequence) : rows
  return {
    rows: steady,
    hold: {
      onPointerEnter: () => setHeld({ key, sequence: steady.map(idOf) }),
      onPointerLeave: () => setHeld(undefined),
    },
  }
}

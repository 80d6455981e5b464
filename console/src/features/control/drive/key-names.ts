/** What stands on the keys that drive: they are taken by their place, where other keyboards have other letters. */
import { useEffect, useState } from 'react'

const PLACES = ['KeyW', 'KeyA', 'KeyS', 'KeyD'] as const
const LETTERS = PLACES.map((place) => place.slice('Key'.length))

/** Not every browser says it, and TypeScript's library does not know it. */
interface Keyboard {
  getLayoutMap(): Promise<ReadonlyMap<string, string>>
}

export function useKeyNames(): readonly string[] {
  const [names, setNames] = useState<readonly string[]>(LETTERS)
  useEffect(() => {
    const { keyboard }: Navigator & { keyboard?: Keyboard } = navigator
    keyboard?.getLayoutMap().then(
      (layout) => setNames(PLACES.map((place, i) => layout.get(place)?.toUpperCase() ?? LETTERS[i] ?? '')),
      () => undefined, // a page in a frame gets none
    )
  }, [])
  return names
}

/**
 * Open pages stay alive: React's Activity hides them with their state, their effects (and so their streams) rest. Each
 * page keeps the location that it was left with, so that a hidden page does not read another page's filters. A page that
 * fails to draw takes no other down: each stands in a boundary of its own.
 */
import { Activity, type ReactNode, useContext, useRef } from 'react'
import { UNSAFE_LocationContext as LocationContext, useOutlet } from 'react-router'
import { Boundary, PageBroken } from '@/shared/ui/boundary'
import { markBroken, refreshPage } from './tabs'

const MOST_ALIVE = 10

interface Page {
  page: ReactNode
  location: NonNullable<React.ContextType<typeof LocationContext>>
}

interface Props {
  current: string
  /** Keys of the tabs whose pages may live. */
  alive: readonly string[]
  /** Grows when a page is refreshed: it starts anew. */
  versions: Readonly<Record<string, number>>
}

export function KeepAlive({ current, alive, versions }: Props) {
  const page = useOutlet()
  const location = useContext(LocationContext)
  const pagesRef = useRef(new Map<string, Page>())
  const pages = pagesRef.current
  pages.delete(current) // the newest stands last, the oldest goes first
  pages.set(current, { page, location })
  for (const key of [...pages.keys()]) {
    const surplus = pages.size > MOST_ALIVE
    if (key !== current && (surplus || !alive.includes(key))) pages.delete(key)
  }
  return [...pages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { page: element, location: at }]) => (
      <Activity key={`${key} ${versions[key] ?? 0}`} mode={key === current ? 'visible' : 'hidden'}>
        <LocationContext.Provider value={at}>
          <Boundary
            fallback={(_, error) => <PageBroken error={error} retry={() => refreshPage(key)} />}
            onError={() => markBroken(key)}
          >
            {element}
          </Boundary>
        </LocationContext.Provider>
      </Activity>
    ))
}

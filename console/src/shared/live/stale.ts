/**
 * What the server says became stale is read anew: at once where it is shown, else when it is shown next. While nobody
 * looks at the tab, words are gathered. A query that began after the word came is new enough, so a tab's own change is
 * not read twice; one that is on its way is read once more when it is back, not broken off, so a slow one ends too.
 */
import type { Query, QueryClient } from '@tanstack/react-query'
import { topicsOfQuery } from '../rpc/topics'

interface World {
  after(ms: number, act: () => void): () => void
  random(): number
  isVisible(): boolean
}

/** Between these, so that the many tabs of a fleet do not ask all at once. */
const GATHER_MS = 50
const LONGEST_GATHER_MS = 300
const EVERYTHING = '*'
/** Read anew at once. */
const URGENT = 'warn'

export class StaleQueries {
  /** Fetches and words in the order in which they came. */
  private turn = 0
  private readonly begunAt = new WeakMap<Query, number>()
  private readonly staleSince = new Map<string, number>()
  private readonly again = new Set<Query>()
  private cancel: (() => void) | undefined

  constructor(
    private readonly queries: QueryClient,
    private readonly world: World,
  ) {}

  /** Watches what is fetched; returns how to stop. */
  readonly start = (): (() => void) => {
    const unsubscribe = this.queries.getQueryCache().subscribe((event) => {
      if (event.type === 'removed') this.again.delete(event.query)
      if (event.type !== 'updated') return
      if (event.action.type === 'fetch') this.begunAt.set(event.query, ++this.turn)
      if ((event.action.type === 'success' || event.action.type === 'error') && this.again.delete(event.query))
        this.refresh(event.query)
    })
    return () => {
      unsubscribe()
      this.cancel?.()
      this.cancel = undefined
    }
  }

  /** These topics are stale; without: everything is. */
  readonly mark = (topics: readonly string[] = [EVERYTHING]) => {
    const now = ++this.turn
    for (const topic of topics) this.staleSince.set(topic, now)
    if (topics.includes(URGENT)) {
      this.cancel?.()
      this.flush()
      return
    }
    const wait = GATHER_MS + this.world.random() * (LONGEST_GATHER_MS - GATHER_MS)
    this.cancel ??= this.world.after(wait, this.flush)
  }

  /** Also called when the tab is looked at again. */
  readonly flush = () => {
    this.cancel = undefined
    if (!this.world.isVisible() || this.staleSince.size === 0) return
    const stale = new Map(this.staleSince)
    this.staleSince.clear()
    for (const query of this.queries.getQueryCache().getAll()) {
      const since = Math.max(...[EVERYTHING, ...topicsOfQuery(query)].map((topic) => stale.get(topic) ?? 0))
      if ((this.begunAt.get(query) ?? 0) >= since) continue
      if (query.state.fetchStatus === 'fetching') this.again.add(query)
      else this.refresh(query)
    }
  }

  private refresh(query: Query) {
    void this.queries.invalidateQueries({ predicate: (other) => other === query })
  }
}

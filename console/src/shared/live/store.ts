/**
 * Live data of one tab, outside React: one socket, one picture of the fleet. After a gap in the numbers or a new
 * connection the tab says again what it shows and gets a snapshot. What mounted parts show is united into one wish.
 */
import { shallow } from 'zustand/shallow'
import type { Control, Counts, Fleet, Frame, LiveRow, Mode, Show, Stream, Streams } from './frames'
import { MODES } from './telemetry'

/** Fields that hold more than one value. */
const SHARED = ['banners', 'utilities', 'tanks'] as const

/** The part of WebSocket that is used here. */
export interface Socket {
  onopen: (() => void) | null
  onmessage: ((event: { data: string }) => void) | null
  onclose: ((event: { code: number }) => void) | null
  send(text: string): void
  close(): void
}

interface World {
  open(): Socket
  token(): string | undefined
  ended(): void
  now(): number
  random(): number
  after(ms: number, act: () => void): () => void
}

export interface Connection {
  readonly state: 'off' | 'connecting' | 'live' | 'lost'
  /** When the newest frame came, a beat too; 0 before the first. */
  readonly lastFrameAt: number
  readonly offlineAfterMs: number
  /** Without a frame for so long there is no connection, whatever the socket says. */
  readonly silentAfterMs: number
}

/** A row and when it came here. */
export interface Seen {
  readonly row: LiveRow
  readonly receivedAt: number
}

type Wish = Partial<Show>
type Listener = () => void
type StaleListener = (topics?: readonly string[]) => void
type Taker<K extends Stream> = (data: Streams[K], at: number) => void
type StreamFrame<K extends Stream> = { [P in K]: { kind: P; id: number; at: number; data: Streams[P] } }[K]

const SESSION_ENDED = 4401
const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000
const GATHER_MS = 20 // parts of one screen mount together: one wish, not ten

export class LiveStore {
  private readonly rows = new Map<number, Seen>()
  private readonly locks = new Map<number, Control>()
  private readonly wishes = new Set<Wish>()
  private readonly listeners = new Set<Listener>()
  private readonly robotListeners = new Map<number, Set<Listener>>()
  private readonly staleListeners = new Set<StaleListener>()
  private readonly takers: { readonly [K in Stream]: Map<number, Set<Taker<K>>> } = {
    lidar: new Map(),
    path: new Map(),
    cells: new Map(),
    support: new Map(),
    log: new Map(),
  }
  private counted: Counts | undefined
  private fleet: ReadonlyMap<number, Mode> | undefined
  private state: Connection = { state: 'off', lastFrameAt: 0, offlineAfterMs: 15_000, silentAfterMs: 10_000 }
  private socket: Socket | undefined
  private seq: number | undefined
  private retries = 0
  private missed = false // what became stale while there was no connection
  private readSince: number | undefined // what became stale from then on was not asked for yet
  private cancelTimer: (() => void) | undefined
  private cancelWatch: (() => void) | undefined
  private gathering = false
  private request = ''

  constructor(private readonly world: World) {}

  readonly robot = (id: number) => this.rows.get(id)
  readonly control = (id: number) => this.locks.get(id)
  readonly counts = () => this.counted
  /** What each robot of the scope does, by its id; another map with each change. */
  readonly modes = () => this.fleet
  readonly connection = () => this.state

  /** For useSyncExternalStore: called after each frame, whatever it brought. */
  readonly listen = (listener: Listener) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** The same for some robots: called after a frame that brought a row of one of them, once. */
  readonly listenTo = (ids: readonly number[], listener: Listener) => {
    for (const id of ids) this.robotListeners.set(id, (this.robotListeners.get(id) ?? new Set()).add(listener))
    return () => {
      for (const id of ids) {
        const listeners = this.robotListeners.get(id)
        listeners?.delete(listener)
        if (listeners?.size === 0) this.robotListeners.delete(id)
      }
    }
  }

  /** Called with the topics that became stale since `since`; without any where some may have been missed. */
  listenToStale(listener: StaleListener, since = this.world.now()): () => void {
    if (this.staleListeners.size === 0) this.readSince = since
    this.staleListeners.add(listener)
    const leave = this.show({ stale: true })
    return () => {
      this.staleListeners.delete(listener)
      leave()
    }
  }

  /** Says what a mounted part shows, until it takes it back. */
  show(wish: Wish): () => void {
    this.wishes.add(wish)
    this.wishChanged()
    return () => {
      this.wishes.delete(wish)
      this.wishChanged()
    }
  }

  /** Raw frames of a robot for a canvas. A new taker of cells gets them in full: the wish is said again. */
  subscribe<K extends Stream>(id: number, kind: K, take: Taker<K>): () => void {
    const takers: Set<Taker<K>> = this.takers[kind].get(id) ?? new Set()
    this.takers[kind].set(id, takers.add(take))
    if (kind === 'cells') this.wishChanged(true)
    return () => void takers.delete(take)
  }

  /** A consumer lost track of its cells: asks for everything in full. */
  again() {
    this.wishChanged(true)
  }

  /** The device has its network back: waits no longer, neither for the next try nor for this one. */
  reconnect() {
    if (this.state.state === 'live' || this.state.state === 'off') return
    this.cancelTimer?.()
    this.detach()
    this.connect()
  }

  /** The connection is gone, though the socket may not know it yet. */
  lose() {
    if (!this.socket) return
    this.detach()
    this.retry()
  }

  /** Log-out: nothing of the last account stays. */
  stop() {
    this.cancelTimer?.()
    this.detach()
    const ids = [...this.rows.keys()]
    this.rows.clear()
    this.locks.clear()
    this.counted = undefined
    this.fleet = undefined
    this.change({ state: 'off', lastFrameAt: 0 })
    this.rowsChanged(ids)
  }

  private united(): Show {
    const wishes = [...this.wishes]
    const ids = (part: 'robots' | 'cells') => [...new Set(wishes.flatMap((w) => w[part] ?? []))].sort((a, b) => a - b)
    return {
      robots: ids('robots'),
      cells: ids('cells'),
      detail: wishes.findLast((w) => w.detail != null)?.detail ?? null,
      log: wishes.findLast((w) => w.log)?.log ?? null,
      counts: wishes.some((w) => w.counts),
      fleet: wishes.some((w) => w.fleet),
      stale: wishes.some((w) => w.stale),
      reading: 0,
    }
  }

  private wishChanged(anew = false) {
    if (anew) this.request = ''
    if (this.gathering) return
    this.gathering = true
    this.world.after(GATHER_MS, () => {
      this.gathering = false
      if (this.state.state === 'live') this.say()
      else if (!this.socket && this.wishes.size > 0 && this.state.state === 'off') this.connect()
    })
  }

  private say(anew = false) {
    const show = this.united()
    const text = JSON.stringify({ show })
    if (!anew && text === this.request) return
    this.request = text
    this.seq = undefined
    const reading = show.stale && this.readSince !== undefined ? (this.world.now() - this.readSince) / 1000 : 0
    if (show.stale) this.readSince = undefined
    this.socket?.send(JSON.stringify({ show: { ...show, reading } }))
  }

  private connect() {
    const token = this.world.token()
    if (!token) return
    this.change({ state: 'connecting' })
    const socket = this.world.open()
    this.socket = socket
    this.watch(this.world.now())
    socket.onopen = () => socket.send(JSON.stringify({ token }))
    socket.onmessage = (event) => this.take(JSON.parse(event.data))
    socket.onclose = ({ code }) => {
      if (code === SESSION_ENDED) {
        this.detach()
        this.world.ended()
      } else this.lose()
    }
  }

  /** Loses a socket from which nothing came for too long, counted from `since` or its newest frame. */
  private watch(since: number) {
    const newestAt = Math.max(since, this.state.lastFrameAt)
    const left = newestAt + this.state.silentAfterMs - this.world.now()
    if (left <= 0) return this.lose()
    this.cancelWatch = this.world.after(left, () => this.watch(newestAt))
  }

  private detach() {
    const socket = this.socket
    this.socket = undefined
    this.seq = undefined
    this.cancelWatch?.()
    if (!socket) return
    socket.onopen = socket.onmessage = socket.onclose = null
    socket.close()
  }

  private retry() {
    this.change({ state: 'lost' })
    const longest = Math.min(FIRST_RETRY_MS * 2 ** this.retries, LONGEST_RETRY_MS)
    this.retries += 1
    this.cancelTimer = this.world.after(longest * (0.5 + this.world.random() / 2), () => this.connect())
  }

  private take(frame: Frame) {
    const now = this.world.now()
    if (frame.kind === 'ended') return this.world.ended()
    if (frame.kind === 'beat') return this.change({ lastFrameAt: now })
    if (frame.kind === 'hello') {
      this.missed ||= this.retries > 0
      this.retries = 0
      this.change({
        state: 'live',
        lastFrameAt: now,
        offlineAfterMs: frame.offlineAfterS * 1000,
        silentAfterMs: frame.silentAfterS * 1000,
      })
      this.say(true)
      return
    }
    const missed = this.seq !== undefined && frame.seq !== this.seq + 1
    this.seq = frame.seq
    if (missed) {
      this.missed = true
      return this.say(true)
    }
    if (frame.kind === 'stale') return this.becameStale(frame.topics)
    if (frame.kind === 'snapshot' || frame.kind === 'robots') {
      for (const row of frame.robots) this.rows.set(row.id, { row: this.withSameLists(row), receivedAt: now })
      if (frame.kind === 'snapshot' && frame.counts) this.counted = frame.counts
      if (frame.kind === 'snapshot') this.fleet = frame.fleet && withModes(new Map(), frame.fleet)
      if (frame.kind === 'snapshot' && this.missed) {
        this.missed = false
        this.becameStale()
      }
    } else if (frame.kind === 'counts') this.counted = { modes: frame.modes, total: frame.total }
    else if (frame.kind === 'fleet') this.fleet = withModes(this.fleet, frame.modes, frame.removed)
    else if (frame.kind === 'control') this.locks.set(frame.id, frame)
    else this.pass(frame)
    this.change({ lastFrameAt: now })
    if (frame.kind === 'snapshot' || frame.kind === 'robots') this.rowsChanged(frame.robots.map(({ id }) => id))
  }

  private pass<K extends Stream>(frame: StreamFrame<K>) {
    for (const take of this.takers[frame.kind].get(frame.id) ?? []) take(frame.data, frame.at)
  }

  private becameStale(topics?: readonly string[]) {
    for (const listener of this.staleListeners) listener(topics)
  }

  /** Equal lists and tables stay the same object: readers compare fields, not what is in them. */
  private withSameLists(row: LiveRow): LiveRow {
    const before = this.rows.get(row.id)?.row
    if (!before) return row
    const same = SHARED.filter((field) => shallow(before[field], row[field])).map((field) => [field, before[field]])
    return { ...row, ...Object.fromEntries(same) }
  }

  private rowsChanged(ids: readonly number[]) {
    for (const listener of new Set(ids.flatMap((id) => [...(this.robotListeners.get(id) ?? [])]))) listener()
  }

  private change(part: Partial<Connection>) {
    this.state = { ...this.state, ...part }
    for (const listener of this.listeners) listener()
  }
}

function withModes(before: ReadonlyMap<number, Mode> | undefined, fleet: Fleet, removed: readonly number[] = []) {
  const modes = new Map(before)
  for (const id of removed) modes.delete(id)
  for (const mode of MODES) for (const id of fleet[mode] ?? []) modes.set(id, mode)
  return modes
}

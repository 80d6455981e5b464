/** What the page asks the worker that reads a recording: each question has a number, and its answer bears it. */
import type { Scan } from './messages/places'
import type { Places, Series } from './reader'

export interface Source {
  readonly url: string
  /** ms since 1970 */
  readonly start: number
  readonly end: number
}

export interface Questions {
  fields: { topic: string }
  series: { topic: string; path: string }
  message: { topic: string; second: number }
  places: { topic: string; type: string }
  scan: { topic: string; second: number }
  picture: { topic: string; second: number }
}

export interface Answers {
  fields: string[]
  series: Series
  /** Written for people; null: there was none yet. */
  message: string | null
  places: Places
  /** null: there was none yet. */
  scan: Scan | null
  /** null: there was none yet. */
  picture: ImageBitmap | null
}

export type Kind = keyof Questions
export type Question = { [K in Kind]: { number: number; kind: K; source: Source } & Questions[K] }[Kind]
/** `stale`: the address has ended, and a new one is to be asked for. */
export interface Reply {
  readonly number: number
  readonly answer?: Answers[Kind]
  readonly fault?: string
  readonly stale?: boolean
}

import type { MapDocument } from '../document/document'
import type { Box, Point } from '../geometry/geometry'

/** Why a shape is not taken. `reason` is a catalogue key, said at the place `at`; the measure is in metres. */
export interface Refusal {
  readonly reason: 'map.beyondEdge' | 'map.notFree' | 'task_area_required' | 'map.tooShort' | 'map.noRoomAcross'
  readonly at: Point
  readonly width?: number
  readonly height?: number
}

/** What is shown while drawing and is no part of the document yet. */
export interface Draft {
  readonly map: MapDocument
  /** The mark in hand: drawn with handles and, from 40 px a metre on, with its dimensions. */
  readonly mark: string
  /** A polygon that is still open: its last point follows the pointer. */
  readonly open?: boolean
}

/** What a tool may do to the editor. `draft` shows, `commit` adds one undo step, `refuse(undefined)` takes a refusal back. */
export interface Editor {
  readonly map: MapDocument
  /** The only mark that is chosen; undefined where several are. */
  readonly selected: string | undefined
  /** Ids of all marks that are chosen. */
  readonly selection: readonly string[]
  /** Metres within which the pointer meets a thing: half of 24 px. */
  readonly reach: number
  draft(draft: Draft | undefined): void
  commit(map: MapDocument): void
  refuse(refusal: Refusal | undefined): void
  select(id: string | undefined): void
  choose(ids: readonly string[]): void
  /** The box that is drawn round what is to be chosen. */
  marquee(box: Box | undefined): void
}

/** A tool is a small state machine over pointer events, in map metres, free of DOM and React. */
export interface Tool {
  readonly id: string
  readonly cursor: string
  /** False: the tool wants nothing of this press, so the view pans. `more`: with Shift, which adds to what is chosen. */
  down(at: Point, more?: boolean): boolean
  move(at: Point): void
  up(at: Point): void
  cancel(): void
  /** It moves what is chosen, so arrows do. */
  readonly moves?: boolean
  /** Enter: ends what is open, such as a polygon by clicks. */
  finish?(): void
  /** F: brings a refused shape back into the map. */
  fit?(): void
}

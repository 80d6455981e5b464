/** What a screen gives to a map view and hears from it. */

import type { MapDocument } from './document/document'
import type { History } from './document/history'
import type { Box, Point } from './geometry/geometry'
import type { Texts } from './scene'
import type { Measure } from './tools/measure'
import type { Draft, Refusal } from './tools/tool'

interface CameraInfo {
  /** px of a metre */
  readonly scale: number
  readonly following: boolean
  /** A round length for the scale bar. */
  readonly bar: { readonly metres: number; readonly px: number }
}

/** Where the steps of drawing stand: in a session that outlives the view, or in the view itself. */
export interface Steps {
  history: History<MapDocument> | undefined
}

export interface MapOptions {
  /** Says to screen readers what the canvas is. */
  readonly label: string
  readonly text: Texts
  /** px kept free by `fit` for what floats above the map. */
  readonly inset?: Partial<Record<'left' | 'right' | 'top' | 'bottom', number>>
  /** The part of the map that is seen, with each frame in which it is another. */
  readonly onSeen?: (box: Box) => void
  readonly onPointer?: (at: (Point & { readonly inside: boolean }) | undefined) => void
  readonly onCamera?: (camera: CameraInfo) => void
  readonly steps?: Steps
  readonly onSelect?: (ids: readonly string[]) => void
  readonly onCommit?: (map: MapDocument) => void
  readonly onDraft?: (draft: Draft | undefined) => void
  readonly onRefuse?: (refusal: Refusal | undefined) => void
  readonly onMeasure?: (measure: Measure | undefined) => void
  /** Somebody looks at the map and pressed a place of it. */
  readonly onTap?: (at: Point) => void
  /** How places of the map become px in the view, with each frame. */
  readonly onFrame?: (toScreen: (at: Point) => Point) => void
  /** Where the robots are drawn, px in the view, with each frame. */
  readonly onRobots?: (places: ReadonlyMap<string | number, Point>) => void
}

/** What of a map is shown. */
import type { MarkKind } from './document/document'

export interface Layers {
  readonly cleaned: boolean
  readonly lanes: boolean
  /** Of the building, for reference. */
  readonly laneGraph: boolean
  readonly route: boolean
  /** Zones, walls and areas. */
  readonly marks: boolean
  readonly flags: boolean
  readonly lidar: boolean
  readonly robots: boolean
  readonly labels: boolean
  /** Lines at each metre, from 40 px a metre on. */
  readonly metres: boolean
  /** Kinds of marks that are left out, unless they are selected. */
  readonly hidden: ReadonlySet<MarkKind>
}

export const ALL_LAYERS: Layers = {
  cleaned: true,
  lanes: true,
  laneGraph: true,
  route: true,
  marks: true,
  flags: true,
  lidar: true,
  robots: true,
  labels: true,
  metres: false,
  hidden: new Set(),
}

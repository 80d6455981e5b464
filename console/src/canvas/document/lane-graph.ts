/** Lanes of a building, kept with its map for reference: nobody draws on them, and robots plan their own way. */
export interface LaneGraph {
  readonly corners: readonly { readonly x: number; readonly y: number; readonly name: string }[]
  readonly lanes: readonly Lane[]
}

interface Lane {
  /** Places in the list of corners. */
  readonly start: number
  readonly end: number
  readonly bidirectional: boolean
  /** m/s; 0: no limit */
  readonly speed: number
  /** People walk there. */
  readonly human: boolean
}

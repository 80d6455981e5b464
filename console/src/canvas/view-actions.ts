/** What everybody who sees a map may do with it: one list for the map's toolbar and its keys. */
import type { Action } from './actions'

/** What the actions need of a map view. */
export interface MapControls {
  zoomIn(): void
  zoomOut(): void
  fit(): void
  panBy(dx: number, dy: number): void
  readonly canFollow: boolean
  readonly following: boolean
  setFollow(on: boolean): void
  readonly canUndo: boolean
  readonly canRedo: boolean
  undo(): void
  redo(): void
  readonly drawing: boolean
  readonly refused: boolean
  finish(): void
  fitShape(): void
  cancel(): void
  readonly canNudge: boolean
  nudge(dx: number, dy: number): void
}

const STEP = 60 // px
const FINE = 0.1 // m
const COARSE = 10 // times as far with Shift

const pan = (id: string, key: string, dx: number, dy: number): Action<MapControls> => ({
  id,
  keys: [key],
  run: (view) => view.panBy(dx, dy),
})

/** Arrows move what is chosen and may be moved; else the view. */
const nudges = (id: string, key: string, dx: number, dy: number): Action<MapControls>[] =>
  [1, COARSE].map((times) => ({
    id: `${id}-${times}`,
    keys: [times === 1 ? key : `shift+${key}`],
    enabled: (view) => view.canNudge,
    run: (view) => view.nudge(dx * FINE * times, dy * FINE * times),
  }))

export const viewActions: readonly Action<MapControls>[] = [
  { id: 'zoomIn', keys: ['+', '='], run: (view) => view.zoomIn() },
  { id: 'zoomOut', keys: ['-'], run: (view) => view.zoomOut() },
  { id: 'fit', keys: ['0'], run: (view) => view.fit() },
  {
    id: 'follow',
    keys: ['l'],
    enabled: (view) => view.canFollow,
    pressed: (view) => view.following,
    run: (view) => view.setFollow(!view.following),
  },
  { id: 'undo', keys: ['ctrl+z'], enabled: (view) => view.canUndo, run: (view) => view.undo() },
  { id: 'redo', keys: ['ctrl+shift+z', 'ctrl+y'], enabled: (view) => view.canRedo, run: (view) => view.redo() },
  { id: 'fitShape', keys: ['f'], enabled: (view) => view.refused, run: (view) => view.fitShape() },
  { id: 'finish', keys: ['Enter'], enabled: (view) => view.drawing, run: (view) => view.finish() },
  { id: 'cancel', keys: ['Escape'], run: (view) => view.cancel() },
  ...nudges('nudgeLeft', 'ArrowLeft', -1, 0),
  ...nudges('nudgeRight', 'ArrowRight', 1, 0),
  ...nudges('nudgeUp', 'ArrowUp', 0, 1),
  ...nudges('nudgeDown', 'ArrowDown', 0, -1),
  pan('left', 'ArrowLeft', STEP, 0),
  pan('right', 'ArrowRight', -STEP, 0),
  pan('up', 'ArrowUp', 0, STEP),
  pan('down', 'ArrowDown', 0, -STEP),
]

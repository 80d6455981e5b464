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
}

const STEP = 60 // px

const nudge = (id: string, key: string, dx: number, dy: number): Action<MapControls> => ({
  id,
  keys: [key],
  run: (view) => view.panBy(dx, dy),
})

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
  nudge('left', 'ArrowLeft', STEP, 0),
  nudge('right', 'ArrowRight', -STEP, 0),
  nudge('up', 'ArrowUp', 0, STEP),
  nudge('down', 'ArrowDown', 0, -STEP),
]

/** A document as it goes back: what /map/saveMap and map/Upload take. */
import { isFlag, isPrivate, type MapDocument, type Mark, type Polygon, pointsOf } from './document'
import type { WireFlag } from './wire'

/** m: as wide as a stroke is drawn. */
export const ERASER = 0.5

/** The marks of a document as a row carries them. Task areas and start points belong to tasks, not to maps. */
export function toRow(map: MapDocument) {
  const shape = (mark: Mark) => ({
    ...{ id: mark.id, name: mark.name },
    points: pointsOf(mark).map(({ x, y }): [number, number] => [x, y]),
    ...('hours' in mark && mark.hours && { hours: mark.hours }),
    ...(isPrivate(mark) && { private: true }),
  })
  const zones = (kind: Polygon['kind'] | 'virtualWall') => map.marks.filter((mark) => mark.kind === kind).map(shape)
  return {
    ...(map.hours && { hours: map.hours }),
    flags: map.marks.flatMap((mark): WireFlag[] =>
      isFlag(mark) && mark.kind !== 'startPoint' ? [{ id: mark.id, name: mark.name, type: mark.kind, ...mark.at }] : [],
    ),
    virtualWalls: zones('virtualWall'),
    forbiddenZones: zones('forbiddenZone'),
    freeAreas: zones('freeArea'),
    erasers: map.marks.flatMap((mark) =>
      mark.kind === 'eraser' ? [{ ...shape(mark), width: mark.width ?? ERASER }] : [],
    ),
  }
}

/** Which elements have hours; the whole map is one of them. */
import type { MapDocument, Mark, Polygon } from './document'
import type { Hours } from './hours'

/** The whole map as an element of a difference: what is drawn on it is its hours. */
export const WHOLE = 'whole-map'

export const whole = (map: MapDocument): Polygon | undefined =>
  map.hours && { id: WHOLE, kind: 'freeArea', name: map.name, points: [], hours: map.hours }

export const hoursOf = (mark: Mark): Hours | undefined => ('hours' in mark ? mark.hours : undefined)

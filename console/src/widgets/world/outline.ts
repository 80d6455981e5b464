/** Land as the path of an SVG, 1000 wide, in Web Mercator. */

const MERCATOR_MOST = 85.05

/** Web Mercator, both axes 0 to 1. */
export function mercator(longitude: number, latitude: number): [number, number] {
  const phi = (Math.max(-MERCATOR_MOST, Math.min(MERCATOR_MOST, latitude)) * Math.PI) / 180
  return [longitude / 360 + 0.5, 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI)]
}

/** What lies past 180° is seen on the other side too. */
function beyond(points: GeoJSON.Position[]): GeoJSON.Position[][] {
  const shifts = [-360, 360].filter((shift) => points.some(([x = 0]) => (shift < 0 ? x > 180 : x < -180)))
  return shifts.map((shift) => points.map(([x = 0, y = 0]) => [x + shift, y]))
}

/** `of` in thousandths of the width of the world. */
export function outline(of: GeoJSON.FeatureCollection): string {
  const ring = (points: GeoJSON.Position[]) =>
    `M${points
      .map(([x = 0, y = 0]) =>
        mercator(x, y)
          .map((at) => (at * 1000).toFixed(1))
          .join(' '),
      )
      .join('L')}Z`
  return of.features
    .flatMap(({ geometry }) => {
      if (geometry?.type === 'Polygon') return geometry.coordinates
      return geometry?.type === 'MultiPolygon' ? geometry.coordinates.flat() : []
    })
    .flatMap((points) => [points, ...beyond(points)])
    .map(ring)
    .join('')
}

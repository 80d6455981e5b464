/**
 * The land of Natural Earth (public domain), which the console carries itself: no tile server is asked. It has no borders: where
 * they run is a matter of law, so borders of countries and provinces are those that the operator has laid there.
 */
import { feature } from 'topojson-client'
import type { Topology } from 'topojson-specification'
import fine from 'world-atlas/land-50m.json?url'
import coarse from 'world-atlas/land-110m.json?url'

type Collection = GeoJSON.FeatureCollection

/** `how` coarse: 55 KB, for the plain map. */
export async function land(how: 'fine' | 'coarse'): Promise<Collection> {
  const answer = await fetch(how === 'fine' ? fine : coarse)
  if (!answer.ok) throw new Error(`${answer.status} ${answer.url}`)
  const world: Topology = await answer.json()
  const shapes = Object.values(world.objects).map((object) => feature(world, object))
  return {
    type: 'FeatureCollection',
    features: shapes
      .flatMap((shape) => (shape.type === 'FeatureCollection' ? shape.features : [shape]))
      .map(({ geometry }) => ({ type: 'Feature', properties: {}, geometry: flattened(geometry) })),
  }
}

/** The file's rings lie on a globe: on a plane, one that crosses 180° must go on there, not jump to the other side. */
export function unwrapped(ring: GeoJSON.Position[]): GeoJSON.Position[] {
  let [shift, before] = [0, ring[0]?.[0] ?? 0]
  const out = ring.map(([x = 0, y = 0]) => {
    if (x - before > 180) shift -= 360
    if (x - before < -180) shift += 360
    before = x
    return [x + shift, y]
  })
  const [first, last] = [out[0], out.at(-1)]
  if (shift === 0 || !first || !last) return out
  return [...out, [last[0] ?? 0, -90], [first[0] ?? 0, -90], first] // Antarctica goes round the pole
}

function flattened(geometry: GeoJSON.Geometry): GeoJSON.Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: geometry.coordinates.map(unwrapped) }
  if (geometry.type !== 'MultiPolygon') return geometry
  return { ...geometry, coordinates: geometry.coordinates.map((part) => part.map(unwrapped)) }
}

const area = (ring: GeoJSON.Position[]) =>
  ring.reduce((sum, [x = 0, y = 0], at) => {
    const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? []
    return sum + (x * nextY - nextX * y) / 2
  }, 0)

/** Where a name stands: the middle of the largest part; `size` in square degrees decides when it is shown. */
export function labels(of: Collection): Collection {
  const features: GeoJSON.Feature[] = []
  for (const { geometry, properties } of of.features) {
    const parts =
      geometry?.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry?.type === 'MultiPolygon'
          ? geometry.coordinates
          : []
    const rings = parts.flatMap(([outer]) => (outer ? [outer] : []))
    const largest = rings.sort((a, b) => Math.abs(area(b)) - Math.abs(area(a)))[0]
    const name = String(properties?.name ?? '')
    if (!largest || !name) continue
    const size = area(largest)
    const middle = [0, 1].map(
      (axis) =>
        largest.reduce((sum, here, at) => {
          const next = largest[(at + 1) % largest.length] ?? here
          const cross = (here[0] ?? 0) * (next[1] ?? 0) - (next[0] ?? 0) * (here[1] ?? 0)
          return sum + ((here[axis] ?? 0) + (next[axis] ?? 0)) * cross
        }, 0) /
        (6 * size),
    )
    features.push({
      type: 'Feature',
      properties: { name, size: Math.abs(size) },
      geometry: { type: 'Point', coordinates: middle },
    })
  }
  return { type: 'FeatureCollection', features }
}

/** How the base looks: the page's own colours, so that it is dark where the page is. */
import type { StyleSpecification } from 'maplibre-gl'
import { labels } from '@/widgets/world/borders'

type Collection = GeoJSON.FeatureCollection

interface Base {
  readonly land: Collection
  readonly countries: Collection | null
  readonly provinces: Collection | null
}

export function baseOf({ land, countries, provinces }: Base, page: HTMLElement): StyleSpecification {
  const colour = (name: string) => getComputedStyle(page).getPropertyValue(name).trim()
  const font = getComputedStyle(page)
    .fontFamily.split(',')
    .map((name) => name.trim().replace(/["']/g, ''))
  const text = { 'text-color': colour('--m-label'), 'text-halo-color': colour('--surface'), 'text-halo-width': 1.2 }
  const label = (source: string, from: number): StyleSpecification['layers'][number] => ({
    id: source,
    type: 'symbol',
    source,
    minzoom: from,
    // The smaller a country, the nearer one has to be before its name stands there.
    filter: ['>', ['get', 'size'], ['step', ['zoom'], 300, 2, 60, 3, 12, 4, 2, 5, 0]],
    layout: {
      'text-field': ['get', 'name'],
      'text-font': font,
      'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10, 6, 14],
      'text-max-width': 8,
      'symbol-sort-key': ['-', 0, ['get', 'size']],
    },
    paint: text,
  })
  const line = (source: string, from: number, colour: string): StyleSpecification['layers'][number] => ({
    id: `${source}-lines`,
    type: 'line',
    source,
    minzoom: from,
    paint: { 'line-color': colour, 'line-width': 0.8 },
  })
  const laid = { ...(countries && { countries }), ...(provinces && { provinces }) }
  const sources = Object.entries({ land, ...laid }).map(([name, data]) => [
    name,
    { type: 'geojson', data, tolerance: 0.5 },
  ])
  const names = Object.entries(laid).map(([name, data]) => [`${name}-names`, { type: 'geojson', data: labels(data) }])
  return {
    version: 8,
    sources: Object.fromEntries([...sources, ...names]),
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colour('--m-out') } },
      { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colour('--m-floor') } },
      ...(countries ? [line('countries', 0, colour('--m-obstacle-line'))] : []),
      ...(provinces ? [line('provinces', 2, colour('--m-obstacle')), label('provinces-names', 4)] : []),
      ...(countries ? [label('countries-names', 0)] : []),
    ],
  }
}

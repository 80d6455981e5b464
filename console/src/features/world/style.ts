/** How the base looks: the page's own colours, so that it is dark where the page is. */
import type { StyleSpecification } from 'maplibre-gl'

type Collection = GeoJSON.FeatureCollection

export function baseOf(
  countries: Collection,
  names: Collection,
  provinces: Collection | null,
  provinceNames: Collection | null,
  page: HTMLElement,
): StyleSpecification {
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
  return {
    version: 8,
    sources: {
      countries: { type: 'geojson', data: countries, tolerance: 0.5 },
      names: { type: 'geojson', data: names },
      ...(provinces && { provinces: { type: 'geojson' as const, data: provinces } }),
      ...(provinceNames && { 'province-names': { type: 'geojson' as const, data: provinceNames } }),
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': colour('--m-out') } },
      { id: 'land', type: 'fill', source: 'countries', paint: { 'fill-color': colour('--m-floor') } },
      {
        id: 'borders',
        type: 'line',
        source: 'countries',
        paint: { 'line-color': colour('--m-obstacle-line'), 'line-width': 0.8 },
      },
      ...(provinces
        ? [
            {
              id: 'provinces',
              type: 'line' as const,
              source: 'provinces',
              minzoom: 2,
              paint: { 'line-color': colour('--m-obstacle'), 'line-width': 0.7 },
            },
          ]
        : []),
      ...(provinceNames ? [label('province-names', 4)] : []),
      label('names', 0),
    ],
  }
}

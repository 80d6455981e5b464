/**
 * The map of the world: land that the console carries, robots as clusters which the library's worker makes. Markers
 * are elements of the page, so that keyboard and screen reader reach them. Loaded only where this screen is opened.
 */
import 'maplibre-gl/dist/maplibre-gl.css'
import {
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  NavigationControl,
  Marker as Pin,
  setWorkerUrl,
} from 'maplibre-gl'
import worker from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { MODES } from '@/shared/live/telemetry'
import { useMode } from '@/shared/theme/scheme'
import { land } from '@/widgets/world/borders'
import { Marker } from './marker'
import { type Counts, collection, modeChanges, type Placed, type Spot } from './places'
import { baseOf } from './style'
import styles from './world.module.css'

setWorkerUrl(worker) // from this server: the page's policy lets no other code run

const NEAR_ZOOM = 13 // a city: who stands together there, stands in one building
const CLUSTER_PX = 56
const FIRST = { padding: 96, maxZoom: 6, animate: false } as const // where the robots are, with the countries around

export interface Borders {
  readonly countries: GeoJSON.FeatureCollection | null
  readonly provinces: GeoJSON.FeatureCollection | null
}

interface Props {
  robots: readonly Placed[]
  borders: Borders
  nameOf(deviceId: number): string
  onChoose(deviceIds: readonly number[]): void
  onBroken(): void
}

const perMode = Object.fromEntries(
  MODES.map((mode) => [mode, ['+', ['case', ['==', ['get', 'mode'], mode], 1, 0]]]),
) as Record<Mode, never>

interface Seen {
  readonly spot: Spot
  readonly cluster: number | undefined
  readonly element: HTMLElement
}

function spotOf({ properties, geometry }: GeoJSON.Feature): { spot: Spot; cluster: number | undefined } {
  const values = properties ?? {}
  const [longitude = 0, latitude = 0] = (geometry as GeoJSON.Point).coordinates
  const cluster = values.cluster ? Number(values.cluster_id) : undefined
  const counts: Counts = cluster === undefined ? { [values.mode as Mode]: 1 } : {}
  if (cluster !== undefined) for (const mode of MODES) if (values[mode]) counts[mode] = Number(values[mode])
  const count = cluster === undefined ? 1 : Number(values.point_count)
  const robot = cluster === undefined ? Number(values.id) : undefined
  return { spot: { key: robot ? `r${robot}` : `c${cluster}`, longitude, latitude, count, counts, robot }, cluster }
}

export function WorldMap({ robots, borders, nameOf, onChoose, onBroken }: Props) {
  const { t } = useTranslation('world')
  const box = useRef<HTMLDivElement>(null)
  const map = useRef<MapLibre>(undefined)
  const pins = useRef(new Map<string, Pin>())
  const [seen, setSeen] = useState<readonly Seen[]>([])
  const [ready, setReady] = useState(false)
  const theme = useMode()
  const first = useRef({ onBroken, t })
  const stands = useRef(false)
  const fitted = useRef(false)
  const onMap = useRef<{ drawn: number; robots: readonly Placed[] }>({ drawn: 0, robots: [] }) // of which style

  useEffect(() => {
    if (!box.current) return
    const words = first.current.t
    const maplibre = new MapLibre({
      container: box.current,
      style: { version: 8, sources: {}, layers: [] },
      center: [40, 30],
      zoom: 1.2,
      minZoom: 0.6,
      maxZoom: 17,
      attributionControl: { customAttribution: 'Natural Earth' },
      dragRotate: false,
      pitchWithRotate: false,
      fadeDuration: 0,
      locale: {
        'NavigationControl.ZoomIn': words('zoom-in'),
        'NavigationControl.ZoomOut': words('zoom-out'),
        'Map.Title': words('device-map'),
        'AttributionControl.ToggleAttribution': words('attribution'),
      },
    })
    maplibre.touchZoomRotate.disableRotation()
    maplibre.addControl(new NavigationControl({ showCompass: false }), 'top-right')
    maplibre.on('error', () => {
      if (!stands.current) first.current.onBroken() // the plain map is better than none
    })
    map.current = maplibre
    maplibre.once('load', () => setReady(true))
    const held = pins.current
    return () => {
      held.clear()
      maplibre.remove()
      map.current = undefined
      setReady(false)
    }
  }, [])

  // The base, in the colours of the theme.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme's colours are read from the page
  useEffect(() => {
    const maplibre = map.current
    if (!ready || !maplibre) return
    let left = false
    const draw = async () => {
      const ground = borders.countries ?? (await land('fine'))
      if (left) return
      maplibre.setStyle(baseOf({ land: ground, ...borders }, box.current as HTMLElement), { diff: false })
      maplibre.once('styledata', () => {
        if (left || maplibre.getSource('robots')) return
        maplibre.addSource('robots', {
          type: 'geojson',
          data: { type: 'FeatureCollection', features: [] },
          cluster: true,
          clusterRadius: CLUSTER_PX,
          clusterMaxZoom: 17,
          clusterProperties: perMode,
        })
        maplibre.addLayer({
          id: 'robots',
          type: 'circle',
          source: 'robots',
          paint: { 'circle-radius': 1, 'circle-opacity': 0 },
        }) // without a layer its tiles are never made
        setDrawn((times) => times + 1)
      })
    }
    draw().catch(() => first.current.onBroken())
    return () => {
      left = true
    }
  }, [ready, theme, borders])

  const [drawn, setDrawn] = useState(0)
  // A new style has a new, empty source.
  useEffect(() => {
    const maplibre = map.current
    const source = maplibre?.getSource('robots') as GeoJSONSource | undefined
    if (!maplibre || !drawn || !source) return
    const before = onMap.current.drawn === drawn ? onMap.current.robots : []
    onMap.current = { drawn, robots }
    const update = modeChanges(before, robots)
    if (update) return void (update.length > 0 && source.updateData({ update }))
    const placed = collection(robots)
    source.setData(placed)
    if (fitted.current || placed.features.length === 0) return
    fitted.current = true // once: from then on the view is the reader's
    const bounds = new LngLatBounds()
    for (const { geometry } of placed.features)
      bounds.extend((geometry as GeoJSON.Point).coordinates as [number, number])
    maplibre.fitBounds(bounds, FIRST)
  }, [robots, drawn])

  useEffect(() => {
    const maplibre = map.current
    if (!ready || !maplibre) return
    const look = () => {
      if (!maplibre.getSource('robots') || !maplibre.isSourceLoaded('robots')) return
      stands.current = true
      const pinned = new Map(
        maplibre.querySourceFeatures('robots').map((feature) => [spotOf(feature).spot.key, spotOf(feature)]),
      )
      for (const [key, pin] of pins.current)
        if (!pinned.has(key)) {
          pin.remove()
          pins.current.delete(key)
        }
      for (const [key, { spot }] of pinned) {
        const pin = pins.current.get(key) ?? new Pin({ element: document.createElement('div') })
        pin.setLngLat([spot.longitude, spot.latitude])
        if (!pins.current.has(key)) pins.current.set(key, pin.addTo(maplibre))
      }
      setSeen([...pinned].map(([key, pin]) => ({ ...pin, element: (pins.current.get(key) as Pin).getElement() })))
    }
    maplibre.on('moveend', look)
    maplibre.on('sourcedata', ({ sourceId, isSourceLoaded }) => {
      if (sourceId === 'robots' && isSourceLoaded) look()
    })
    maplibre.on('idle', look)
  }, [ready])

  const choose = async ({ spot, cluster }: Seen) => {
    const maplibre = map.current
    const source = maplibre?.getSource('robots') as GeoJSONSource | undefined
    if (!maplibre || !source) return
    if (cluster === undefined) return onChoose(spot.robot ? [spot.robot] : [])
    const apart = await source.getClusterExpansionZoom(cluster)
    if (apart <= NEAR_ZOOM) return void maplibre.easeTo({ center: [spot.longitude, spot.latitude], zoom: apart })
    const inside = await source.getClusterLeaves(cluster, spot.count, 0)
    onChoose(inside.map(({ properties }) => Number(properties?.id)))
  }

  return (
    <>
      <div className={styles.map}>
        <div ref={box} className={styles.whole} />
      </div>
      {seen.map((pin) =>
        createPortal(
          <Marker
            spot={pin.spot}
            name={pin.spot.robot ? nameOf(pin.spot.robot) : undefined}
            onChoose={() => void choose(pin)}
          />,
          pin.element,
          pin.spot.key,
        ),
      )}
    </>
  )
}

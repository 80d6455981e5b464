/** Where the sites are: the part of the world that holds them, with the operator's borders where there are any. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Loading } from '@/shared/ui/query-view'
import { land } from '@/widgets/world/borders'
import { outline } from '@/widgets/world/outline'
import styles from './big-screen.module.css'
import { Tile } from './tile'
import { placeSites, type Spot, WIDTH, windowOf } from './wall-map-layout'

const [ISOLATE, END] = ['\u2068', '\u2069'] // words keep their own direction on a map that runs left to right
const GAP = 16 // px from the middle of a mark to its words

type Site = Answer<'/board/bigScreen'>['sites'][number]

export function WallMap({ sites, at }: { sites: readonly Site[]; at: number }) {
  const { t } = useTranslation('wall')
  const layers = useCall('/world/layers', undefined, { staleTime: Number.POSITIVE_INFINITY })
  const own = layers.data?.countries as GeoJSON.FeatureCollection | null | undefined
  const world = useQuery({
    queryKey: ['land', 'fine'],
    queryFn: () => land('fine'),
    enabled: own === null || layers.isError,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const areas = own ?? world.data
  const path = useMemo(() => (areas ? outline(areas) : ''), [areas])
  const view = windowOf(sites)
  const spots = placeSites(sites, view)
  return (
    <Tile title={t('sites-title')} at={at} className={styles.map}>
      {areas ? (
        <svg
          viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
          preserveAspectRatio="xMidYMid slice"
          role="img"
          aria-label={t('sites', { count: sites.length })}
        >
          <path d={path} data-borders={Boolean(own) || undefined} />
          {spots.map((spot) => (
            <Mark key={spot.name} spot={spot} unit={view.width / WIDTH} />
          ))}
        </svg>
      ) : (
        <Loading />
      )}
    </Tile>
  )
}

/** `unit`: how much of the map one px of the look is. */
function Mark({ spot, unit }: { spot: Spot; unit: number }) {
  const { t } = useTranslation('wall')
  const { area } = useFormats()
  const name = spot.sites > 1 ? t('near', { site: spot.name, count: spot.sites - 1 }) : spot.name
  const words = `${t('robots', { count: spot.devices })} · ${area(spot.cleaned).text}`
  return (
    <g transform={`translate(${spot.x} ${spot.y}) scale(${unit})`} data-needy={spot.needy > 0 || undefined}>
      <title>{`${name}: ${words}`}</title>
      <circle r="11" className={styles.halo} />
      <circle r="5" />
      {spot.words && (
        <g
          textAnchor={spot.words.side}
          transform={`translate(${spot.words.side === 'end' ? -GAP : GAP} ${spot.words.shift})`}
        >
          <text y="-2" fontSize="13" className={styles.site}>
            {name}
          </text>
          <text y="14" fontSize="12">
            {ISOLATE + words + END}
          </text>
        </g>
      )}
    </g>
  )
}

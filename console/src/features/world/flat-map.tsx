/** The same in plain SVG, where the browser draws no WebGL: the whole world at once, clusters in a grid, no zoom. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Failed, Loading } from '@/shared/ui/query-view'
import { land } from '@/widgets/world/borders'
import { mercator, outline } from '@/widgets/world/outline'
import { Marker } from './marker'
import { gridded, inCell, type Placed } from './places'
import styles from './world.module.css'

const CELLS = 36
const [TOP, BOTTOM] = [mercator(0, 78)[1], mercator(0, -58)[1]]

interface Props {
  robots: readonly Placed[]
  own: GeoJSON.FeatureCollection | null
  nameOf(deviceId: number): string
  onChoose(deviceIds: readonly number[]): void
}

export function FlatMap({ robots, own, nameOf, onChoose }: Props) {
  const { t } = useTranslation('world')
  const world = useQuery({
    queryKey: ['land', 'coarse'],
    queryFn: () => land('coarse'),
    enabled: own === null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const areas = own ?? world.data
  const path = useMemo(() => (areas ? outline(areas) : ''), [areas])
  const spots = useMemo(() => gridded(robots, CELLS), [robots])
  if (!areas) return world.error ? <Failed error={world.error} retry={() => void world.refetch()} /> : <Loading />
  return (
    <div className={styles.flat}>
      <svg
        viewBox={`0 ${TOP * 1000} 1000 ${(BOTTOM - TOP) * 1000}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('device-map')}
      >
        <path d={path} data-borders={own !== null || undefined} />
      </svg>
      {spots.map((spot) => {
        const [x, y] = mercator(spot.longitude, spot.latitude)
        return (
          <div
            key={spot.key}
            className={styles.pin}
            style={{ left: `${x * 100}%`, top: `${((y - TOP) / (BOTTOM - TOP)) * 100}%` }}
          >
            <Marker
              spot={spot}
              name={spot.robot ? nameOf(spot.robot) : undefined}
              onChoose={() => onChoose(inCell(robots, CELLS, spot.key).map(({ deviceId }) => deviceId))}
            />
          </div>
        )
      })}
    </div>
  )
}

/** /device/deviceAmap: where the robots stand in the world, as a map and as a list. */
import { Button } from 'antd'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Segment, Segments } from '@/shared/controls/segments'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { useModes, useShow } from '@/shared/live/live'
import { MODES } from '@/shared/live/telemetry'
import { MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { useCall } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Page, Panel } from '@/shared/ui/panel'
import { Loading, Nothing, QueryView } from '@/shared/ui/query-view'
import { useCountry } from '@/widgets/country'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { FlatMap } from './flat-map'
import { countsOf, type Filters, hasPlace, inModes, type Placed, readFilters, writeFilters } from './places'
import { RobotList } from './robot-list'
import styles from './world.module.css'
import type { Borders } from './world-map'

const WorldMap = lazy(async () => ({ default: (await import('./world-map')).WorldMap }))

const WISH = { fleet: true } as const

/** The map library draws with WebGL 2 alone. */
const canDraw = () => document.createElement('canvas').getContext('webgl2') !== null

export function WorldScreen() {
  const [query, setQuery] = useSearchParams()
  const filters = readFilters(query)
  const robots = useCall(
    '/device/selectDevicePlaces',
    { ...(filters.owner && { userId: filters.owner }) },
    { keep: true, live: ['state'] },
  )
  useShow(WISH)
  const modes = useModes()
  return (
    <Page className={styles.page}>
      <QueryView query={robots}>
        {({ list }) => (
          <World
            list={list}
            modes={modes}
            filters={filters}
            onChange={(next) => setQuery(writeFilters(next), { replace: true })}
          />
        )}
      </QueryView>
    </Page>
  )
}

interface Props {
  /** As they stood when they were read. */
  list: readonly Placed[]
  /** What they do now. */
  modes: ReadonlyMap<number, Mode> | undefined
  filters: Filters
  onChange(filters: Filters): void
}

function World({ list, modes, filters, onChange }: Props) {
  const { t } = useTranslation('world')
  const countryName = useCountry()
  const [chosen, choose] = useState<ReadonlySet<number>>()
  const [flat, setFlat] = useState(() => !canDraw())
  const layers = useCall('/world/layers', undefined, { staleTime: Number.POSITIVE_INFINITY })
  const robots = useMemo(() => inModes(list, modes), [list, modes])
  const inMode = useMemo(
    () => robots.filter(({ mode }) => filters.mode === undefined || mode === filters.mode),
    [robots, filters.mode],
  )
  const names = useMemo(() => new Map(list.map(({ deviceId, deviceCode }) => [deviceId, deviceCode])), [list])
  const nameOf = useCallback((id: number) => names.get(id) ?? '', [names])
  const pick = useCallback((ids: readonly number[]) => choose(new Set(ids)), [])
  const unplaced = inMode.filter((robot) => !hasPlace(robot))
  const listed = filters.unplaced ? unplaced : chosen ? inMode.filter(({ deviceId }) => chosen.has(deviceId)) : inMode
  const title = filters.unplaced
    ? t('without-place', { count: unplaced.length })
    : chosen
      ? t('robots-here', { count: listed.length })
      : t('count-robots', { count: listed.length })
  return (
    <>
      <Bar
        robots={robots}
        filters={filters}
        unplaced={unplaced.length}
        onChange={(next) => {
          choose(undefined)
          onChange(next)
        }}
      />
      <div className={styles.split}>
        <Panel className={styles.stage}>
          {flat || !layers.data ? (
            layers.isPending ? (
              <Loading />
            ) : (
              <FlatMap
                robots={inMode}
                own={(layers.data?.countries ?? null) as Borders['countries']}
                nameOf={nameOf}
                onChoose={pick}
              />
            )
          ) : (
            <Suspense fallback={<Loading />}>
              <WorldMap
                robots={inMode}
                borders={layers.data as unknown as Borders}
                nameOf={nameOf}
                onChoose={pick}
                onBroken={() => setFlat(true)}
              />
            </Suspense>
          )}
          {flat && <p className={styles.note}>{t('no-webgl')}</p>}
        </Panel>
        <Panel
          className={styles.side}
          title={title}
          extra={
            chosen &&
            !filters.unplaced && (
              <Button size="small" onClick={() => choose(undefined)}>
                {t('all-robots')}
              </Button>
            )
          }
        >
          {listed.length === 0 ? (
            <Nothing why={t('empty-search')} />
          ) : (
            <RobotList robots={listed} countryName={countryName} />
          )}
        </Panel>
      </div>
    </>
  )
}

interface BarProps extends Pick<Props, 'filters' | 'onChange'> {
  robots: readonly Placed[]
  unplaced: number
}

function Bar({ robots, filters, unplaced, onChange }: BarProps) {
  const { t } = useTranslation('world')
  const { number } = useFormats()
  const counts = countsOf(robots)
  return (
    <Row as="search" wrap gap="m" align="center">
      <OwnerTree value={filters.owner} onChange={(owner) => onChange({ ...filters, owner })} />
      <Segments label={t('states')}>
        <Segment on={filters.mode === undefined} onChoose={() => onChange({ ...filters, mode: undefined })}>
          {t('all-states', { count: robots.length })}
        </Segment>
        {MODES.filter((mode) => counts[mode] || filters.mode === mode).map((mode) => (
          <Segment key={mode} on={filters.mode === mode} onChoose={() => onChange({ ...filters, mode })}>
            <StateMark state={mode} size={14} /> {t(MODE_WORD[mode])} {number(counts[mode] ?? 0)}
          </Segment>
        ))}
      </Segments>
      {(unplaced > 0 || filters.unplaced) && (
        <Button
          type={filters.unplaced ? 'primary' : 'default'}
          aria-pressed={filters.unplaced}
          onClick={() => onChange({ ...filters, unplaced: !filters.unplaced })}
        >
          {t('without-place', { count: unplaced })}
        </Button>
      )}
    </Row>
  )
}

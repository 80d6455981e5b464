/** One line a site: its time, its robots, today against the plan, and a week of coverage. */

import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useNow, useShow } from '@/shared/live/live'
import { LaneProgress, Sparkline } from '@/shared/marks/lanes'
import type { Answer } from '@/shared/rpc/contract'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { useCountry } from '@/widgets/country'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import { SendHome } from '@/widgets/robot/send-home'
import { shareOf } from '@/widgets/share'
import { Marks, useModes } from './marks'
import styles from './sites.module.css'

type Site = Answer<'/board/overview'>['sites'][number]

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const doneOf = ({ cleanedToday, plannedToday }: Site) => shareOf(cleanedToday, plannedToday)

const COLUMNS: readonly Column<Site>[] = [
  {
    key: 'site',
    label: 'site',
    heading: true,
    cell: ({ site }) => (
      <Link to={`/device/index?text=${encodeURIComponent(site)}`}>
        <bdi>{site}</bdi>
      </Link>
    ),
  },
  { key: 'zone', label: 'local-time', soft: true, cell: (site) => <LocalTime site={site} /> },
  {
    key: 'robots',
    label: 'robots',
    value: ({ deviceIds }) => deviceIds.length,
    cell: ({ deviceIds }) => <Robots ids={deviceIds} />,
  },
  { key: 'cleanedToday', label: 'today', number: true, cell: (site, { column }) => <b>{column(site.cleanedToday)}</b> },
  {
    key: 'plannedToday',
    label: 'plan',
    number: true,
    soft: true,
    cell: ({ plannedToday }, { area }) => area(plannedToday).text,
  },
  { key: 'done', label: 'done', value: doneOf, cell: (site) => <Done ratio={doneOf(site)} /> },
  {
    key: 'week',
    label: 'week-coverage',
    value: ({ weekCoverage }) => weekCoverage,
    cell: (site) => <Week site={site} />,
  },
]

export function SitesTable({ sites }: { sites: readonly Site[] }) {
  const { t } = useTranslation('status')
  return (
    <Panel>
      <ShortList
        texts="status"
        label={t('site')}
        columns={COLUMNS}
        query={{ data: { list: sites }, error: null, isPending: false, refetch: () => {} }}
        idOf={({ site }) => site}
        actions={({ site }) => <SendHome inLine building={site} />}
      />
    </Panel>
  )
}

function LocalTime({ site }: { site: Site }) {
  const { time } = useFormats()
  const country = useCountry()
  const now = useNow(MINUTE_MS)
  return (
    <>
      {country(site.area)} <bdi>{time(now, site.zone)}</bdi>
    </>
  )
}

function Robots({ ids }: { ids: Site['deviceIds'] }) {
  useShow({ robots: ids })
  return <Marks modes={useModes(ids)} size={15} />
}

function Done({ ratio }: { ratio: number }) {
  const { t } = useTranslation('status')
  const { percent } = useFormats()
  return (
    <Row as="span" gap="m" align="center" className={styles.part}>
      <LaneProgress ratio={ratio} label={t('done')} />
      <span>{percent(ratio)}</span>
    </Row>
  )
}

function Week({ site }: { site: Site }) {
  const { t } = useTranslation('status')
  const { percent, weekday } = useFormats()
  const today = useNow(HOUR_MS)
  const days = site.week.map((coverage, i) => {
    const day = weekday(today - (site.week.length - 1 - i) * 24 * HOUR_MS, site.zone)
    return `${day}: ${coverage === null ? '–' : percent(coverage, 1)}`
  })
  if (site.weekCoverage === null) return null
  return (
    <Row as="span" inline gap="m" align="center">
      <Sparkline values={site.week} label={[t('week-coverage'), ...days].join('\n')} />
      {percent(site.weekCoverage, 1)}
    </Row>
  )
}

/** One line a site: its time, its robots, today against the plan, and a week of coverage. */

import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useNow, useShow } from '@/shared/live/live'
import { LaneProgress, Sparkline } from '@/shared/marks/lanes'
import type { Answer } from '@/shared/rpc/contract'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { PlainTable } from '@/shared/ui/table'
import { useCountry } from '@/widgets/country'
import { SendHome } from '@/widgets/robot/send-home'
import { Marks, useModes } from './marks'
import styles from './sites.module.css'

type Site = Answer<'/board/overview'>['sites'][number]

const MINUTE_MS = 60_000

export function SitesTable({ sites }: { sites: readonly Site[] }) {
  const { t } = useTranslation('status')
  return (
    <Panel>
      <PlainTable label={t('site')}>
        <thead>
          <tr>
            <th>{t('site')}</th>
            <th>{t('local-time')}</th>
            <th>{t('robots')}</th>
            <th data-number>{t('today')}</th>
            <th data-number>{t('plan')}</th>
            <th>{t('done')}</th>
            <th>{t('week-coverage')}</th>
            <td data-actions />
          </tr>
        </thead>
        <tbody>
          {sites.map((site) => (
            <SiteRow key={site.site} site={site} />
          ))}
        </tbody>
      </PlainTable>
    </Panel>
  )
}

function SiteRow({ site }: { site: Site }) {
  const { t } = useTranslation('status')
  const { area, column, percent, time } = useFormats()
  const country = useCountry()
  const now = useNow(MINUTE_MS)
  useShow({ robots: site.deviceIds })
  const modes = useModes(site.deviceIds)
  const done = site.plannedToday > 0 ? site.cleanedToday / site.plannedToday : 0
  const latest = site.week.findLast((coverage: number | null) => coverage !== null)
  return (
    <tr>
      <th scope="row">
        <Link to={`/device/index?text=${encodeURIComponent(site.site)}`}>
          <bdi>{site.site}</bdi>
        </Link>
      </th>
      <td data-soft>
        {country(site.area)} <bdi>{time(now, site.zone)}</bdi>
      </td>
      <td>
        <Marks modes={modes} size={15} />
      </td>
      <td data-number>
        <b>{column(site.cleanedToday)}</b>
      </td>
      <td data-number data-soft>
        {area(site.plannedToday).text}
      </td>
      <td>
        <Row as="span" gap="m" align="center" className={styles.part}>
          <LaneProgress ratio={done} label={t('done')} />
          <span>{percent(done)}</span>
        </Row>
      </td>
      <td>
        {latest != null && (
          <Row as="span" inline gap="m" align="center">
            <Sparkline values={site.week} label={t('week-coverage')} />
            {percent(latest, 1)}
          </Row>
        )}
      </td>
      <td data-actions>
        <SendHome inLine building={site.site} />
      </td>
    </tr>
  )
}

/** Runs, newest first; each row leads to its report. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { LaneProgress } from '@/shared/marks/lanes'
import type { Answer } from '@/shared/rpc/contract'
import table from '@/shared/ui/table.module.css'
import { usePlace } from '@/widgets/place'
import { toMs } from '@/widgets/time'
import { EndTag } from './end-tag'
import { coverageRatio, efficiencyM2PerHour } from './figures'
import styles from './report-table.module.css'
import { Thumbnail } from './thumbnail'

type Report = Answer<'/taskReport/list'>['list'][number]

export function ReportTable({ rows }: { rows: readonly Report[] }) {
  const { t } = useTranslation('report')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard
    <section className={table.box} tabIndex={0} aria-label={t('task-report')}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th>{t('floor-picture')}</th>
            <th>{t('task')}</th>
            <th>{t('device')}</th>
            <th>{t('place')}</th>
            <th>{t('start')}</th>
            <th data-number>{t('duration')}</th>
            <th data-number>{t('planned')}</th>
            <th data-number>{t('cleaned')}</th>
            <th>{t('coverage')}</th>
            <th data-number>{t('cleaning-efficiency')}</th>
            <th data-number>{t('battery')}</th>
            <th data-number>{t('disinfectant')}</th>
            <th>{t('result')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.taskReportId} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Line({ row }: { row: Report }) {
  const { t } = useTranslation('report')
  const formats = useFormats()
  const { floor } = usePlace()
  const start = toMs(row.startTime)
  const known = <V, T>(value: V | null | undefined, say: (value: V) => T) => (value == null ? null : say(value))
  return (
    <tr>
      <td className={styles.picture}>
        <Link to={`/device/report/${row.taskReportId}`} aria-hidden="true" tabIndex={-1}>
          <Thumbnail id={row.taskReportId} running={row.end === 'running'} />
        </Link>
      </td>
      <th scope="row">
        <Link to={`/device/report/${row.taskReportId}`}>
          <bdi>{row.taskName || row.mapName}</bdi>
        </Link>
        {row.factor > 1 && <small>{t('simulated', { factor: row.factor })}</small>}
      </th>
      <td>
        <bdi>{row.deviceCode}</bdi>
        <small>
          <bdi>{row.deviceSerialNumber}</bdi>
        </small>
      </td>
      <td>
        <bdi>{row.building}</bdi>
        <small>
          <bdi>{floor(row.floor)}</bdi>
        </small>
      </td>
      <td>
        {start !== null && (
          <>
            {formats.date(start)}
            <small>{formats.time(start)}</small>
          </>
        )}
      </td>
      <td data-number>{formats.duration(row.seconds)}</td>
      <td data-number>{formats.area(row.workArea).text}</td>
      <td data-number>
        <b>{formats.area(row.cleanedArea).text}</b>
      </td>
      <td>
        {known(row.coverage, (coverage: number) => (
          <span className={styles.coverage}>
            <LaneProgress ratio={coverageRatio(coverage)} label={t('coverage')} />
            <span>{formats.percent(coverageRatio(coverage), 1)}</span>
          </span>
        ))}
      </td>
      <td data-number>
        {known(row.efficiency, (efficiency: number) => formats.unit(efficiencyM2PerHour(efficiency), 'm2-per-hour'))}
      </td>
      <td data-number>
        {row.batteryFrom != null &&
          row.batteryTo != null &&
          t('from-to', { from: Math.round(row.batteryFrom), to: formats.percent(row.batteryTo / 100) })}
      </td>
      <td data-number>{known(row.liquidMl, (ml: number) => formats.unit(ml / 1000, 'litre', 1))}</td>
      <td>
        <EndTag end={row.end} />
      </td>
    </tr>
  )
}

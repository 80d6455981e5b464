/** What a run is in the list: its figures, each with what it sorts and exports by. */

import { Link } from 'react-router'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import type { Answer, Payload } from '@/shared/rpc/contract'
import { Row } from '@/shared/ui/layout'
import type { Column } from '@/widgets/list/columns'
import { reportPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import { coverageRatio, efficiencyM2PerHour } from '@/widgets/report/figures'
import { toMs } from '@/widgets/time'
import { EndTag } from './end-tag'
import styles from './report-table.module.css'
import { Thumbnail } from './thumbnail'

export type Report = Answer<'/taskReport/list'>['list'][number]

/** Columns that the server sorts by. */
export const ORDERS: readonly NonNullable<Payload<'/taskReport/list'>['sort']>[] = [
  'task',
  'deviceCode',
  'place',
  'startTime',
  'seconds',
  'plannedArea',
  'cleanedArea',
  'coverage',
  'efficiency',
  'battery',
  'liquidMl',
  'end',
]

/** What there is no figure of has no text. */
const written = (value: number | null | undefined, write: (value: number) => string) =>
  value == null ? null : write(value)

function Place({ row }: { row: Report }) {
  const { floor } = usePlace()
  return (
    <>
      <bdi>{row.building}</bdi>
      <small>
        <bdi>{floor(row.floor)}</bdi>
      </small>
    </>
  )
}

function Coverage({ ratio, text }: { ratio: number; text: string }) {
  const { t } = useTranslation('report')
  return (
    <Row as="span" gap="m" align="center" className={styles.coverage}>
      <LaneProgress ratio={ratio} label={t('coverage')} />
      <span>{text}</span>
    </Row>
  )
}

export const COLUMNS: readonly Column<Report>[] = [
  {
    key: 'picture',
    label: 'floor-picture',
    picture: true,
    value: () => null,
    cell: (row) => (
      <Link to={reportPath(row.taskReportId)} aria-hidden="true" tabIndex={-1}>
        <Thumbnail id={row.taskReportId} running={row.end === 'running'} />
      </Link>
    ),
  },
  {
    key: 'task',
    label: 'task',
    heading: true,
    value: ({ taskName, mapName }) => taskName || mapName,
    cell: (row, { t }) => (
      <>
        <Link to={reportPath(row.taskReportId)}>
          <bdi>{row.taskName || row.mapName}</bdi>
        </Link>
        {row.byHand && <small>{t('by-hand')}</small>}
        {row.factor > 1 && <small>{t('simulated', { factor: row.factor })}</small>}
      </>
    ),
  },
  {
    key: 'deviceCode',
    label: 'device',
    cell: ({ deviceCode, deviceSerialNumber }) => (
      <>
        <bdi>{deviceCode}</bdi>
        <small>
          <bdi>{deviceSerialNumber}</bdi>
        </small>
      </>
    ),
  },
  {
    key: 'place',
    label: 'place',
    value: ({ building, floor }) => [building, floor].filter(Boolean).join(' · '),
    cell: (row) => <Place row={row} />,
  },
  {
    key: 'startTime',
    label: 'start',
    cell: ({ startTime }, { date, time }) => {
      const start = toMs(startTime)
      return (
        start !== null && (
          <>
            {date(start)}
            <small>{time(start)}</small>
          </>
        )
      )
    },
  },
  {
    key: 'end',
    label: 'result',
    value: ({ end }, { t }) => textOr(t, end, end),
    cell: ({ end }) => <EndTag end={end} />,
  },
  { key: 'seconds', label: 'duration', number: true, cell: (row, { duration }) => duration(row.seconds) },
  { key: 'plannedArea', label: 'planned-area', number: true, cell: (row, { area }) => area(row.plannedArea).text },
  { key: 'cleanedArea', label: 'cleaned', number: true, cell: (row, { area }) => <b>{area(row.cleanedArea).text}</b> },
  {
    key: 'coverage',
    label: 'coverage',
    cell: ({ coverage }, { percent }) =>
      coverage != null && <Coverage ratio={coverageRatio(coverage)} text={percent(coverageRatio(coverage), 1)} />,
  },
  {
    key: 'efficiency',
    label: 'cleaning-efficiency',
    number: true,
    cell: (row, { unit }) => written(row.efficiency, (value) => unit(efficiencyM2PerHour(value), 'm2-per-hour')),
  },
  {
    key: 'battery',
    label: 'battery',
    number: true,
    value: ({ batteryFrom, batteryTo }) =>
      batteryFrom == null || batteryTo == null ? null : Math.round(batteryFrom - batteryTo),
    cell: ({ batteryFrom, batteryTo }, { t, percent }) =>
      batteryFrom != null &&
      batteryTo != null &&
      t('from-to', { from: Math.round(batteryFrom), to: percent(batteryTo / 100) }),
  },
  {
    key: 'liquidMl',
    label: 'disinfectant',
    number: true,
    cell: (row, { unit }) => written(row.liquidMl, (ml) => unit(ml / 1000, 'litre', 1)),
  },
]

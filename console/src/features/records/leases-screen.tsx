/** /device/hire: robots that are leased, and were. */
import { IconAlertTriangle, IconCircleCheck, IconCircleMinus } from '@tabler/icons-react'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { Table } from '@/shared/ui/table'
import { DevicePicker } from '@/widgets/form/device-picker'
import { AddButton } from '@/widgets/list/add-button'
import { Pages } from '@/widgets/list/pages'
import { useFilters } from '@/widgets/list/use-filters'
import { EndDialog } from './end-dialog'
import { LeaseDialog } from './lease-dialog'
import { Bar, Robot } from './parts'
import styles from './records.module.css'
import { type LeaseRow, PAGE } from './rows'

const COLUMNS = ['robot', 'state', 'lessee', 'lease-from', 'lease-to', 'ended-on', 'remark']
const WORDS = { running: 'lease-running', overdue: 'overdue', ended: 'lease-ended' } as const
const MARKS = { running: IconCircleCheck, overdue: IconAlertTriangle, ended: IconCircleMinus } as const
type State = keyof typeof WORDS

const STATE_FILTERS: Readonly<Record<State, { state: 0 | 1; overdue?: true }>> = {
  running: { state: 0 },
  overdue: { state: 0, overdue: true },
  ended: { state: 1 },
}

const stateOf = ({ state, overdue }: LeaseRow): State => (state === 1 ? 'ended' : overdue ? 'overdue' : 'running')

function LeaseState({ state }: { state: State }) {
  const { t } = useTranslation('records')
  const Mark = MARKS[state]
  return (
    <span className={styles.state} data-state={state}>
      <Mark size={15} stroke={1.75} aria-hidden />
      {t(WORDS[state])}
    </span>
  )
}

export function LeasesScreen() {
  const { t } = useTranslation('records')
  const mayEnd = useMay('device/hire/stop')
  const { filters, change, turn, narrowed, page, whole } = useFilters(['text', 'state', 'device'])
  const [adding, setAdding] = useState(false)
  const [ending, setEnding] = useState<LeaseRow>()
  const state = filters.state in STATE_FILTERS ? (filters.state as State) : undefined
  const deviceId = whole(filters.device)
  const query = useCall(
    '/hire/list',
    {
      ...{ currentPage: page, pageSize: PAGE, text: filters.text },
      ...(state && STATE_FILTERS[state]),
      ...(deviceId !== undefined && { deviceId }),
    },
    { keep: true },
  )
  const add = <AddButton onClick={() => setAdding(true)}>{t('record-lease')}</AddButton>
  const filterBar = (
    <>
      <Select
        aria-label={t('state')}
        value={state ?? null}
        placeholder={t('every-state')}
        allowClear
        options={Object.keys(STATE_FILTERS).map((value) => ({ value, label: <LeaseState state={value as State} /> }))}
        onChange={(chosen: string | null | undefined) => change({ state: chosen ?? '' })}
      />
      <DevicePicker
        value={deviceId}
        label={t('robot')}
        placeholder={t('every-robot')}
        onChange={(chosen) => change({ device: chosen ? String(chosen) : '' })}
      />
    </>
  )
  return (
    <Page>
      <Bar text={filters.text} hint={t('search-leases')} onSearch={(text) => change({ text })} filters={filterBar}>
        {add}
      </Bar>
      <QueryView
        query={query}
        isEmpty={({ list }) => list.length === 0}
        filtered={narrowed}
        empty={<Nothing why={t('no-leases')} action={add} />}
      >
        {({ list, total }) => (
          <Table
            label={t('lease')}
            head={COLUMNS.map((column) => <th key={column}>{t(column)}</th>)}
            className={styles.table}
            foot={<Pages className={styles.foot} page={page} size={PAGE} total={total} onPage={turn} />}
          >
            {list.map((row) => (
              <Line key={row.id} row={row} {...(mayEnd && { onEnd: () => setEnding(row) })} />
            ))}
          </Table>
        )}
      </QueryView>
      {adding && <LeaseDialog deviceId={deviceId} onClose={() => setAdding(false)} />}
      {ending && <EndDialog row={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  )
}

function Line({ row, onEnd }: { row: LeaseRow; onEnd?: () => void }) {
  const { t } = useTranslation('records')
  const { date } = useFormats()
  const day = (text: string) => date(Date.parse(text), 'UTC')
  return (
    <tr>
      <th scope="row">
        <Robot name={row.deviceCode} serial={row.deviceSerialNumber} />
      </th>
      <td>
        <LeaseState state={stateOf(row)} />
      </td>
      <td>
        <bdi>{row.customerName}</bdi>
      </td>
      <td>{day(row.startDate)}</td>
      <td>{row.endDate ? day(row.endDate) : t('lease-open')}</td>
      <td>{row.stoppedAt && t('ended-by', { date: date(Date.parse(row.stoppedAt)), name: row.stoppedBy })}</td>
      <td className={styles.detail}>
        <bdi>{row.remark}</bdi>
      </td>
      <td data-actions>
        {onEnd && row.ours && row.state === 0 && (
          <Button size="small" aria-label={`${t('end-lease')}: ${row.deviceCode}`} onClick={onEnd}>
            {t('end-lease')}
          </Button>
        )}
      </td>
    </tr>
  )
}

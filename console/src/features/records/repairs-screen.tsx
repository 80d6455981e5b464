/** /device/repair: what was wrong with robots, and what was done about it. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Button, DatePicker, Select } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { Table } from '@/shared/ui/table'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { DevicePicker } from '@/widgets/form/device-picker'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import { LineAction } from '@/widgets/list/line-action'
import { Pages } from '@/widgets/list/pages'
import { useFilters } from '@/widgets/list/use-filters'
import { ClearDialog } from './clear-dialog'
import { Bar, Robot } from './parts'
import styles from './records.module.css'
import { RepairDialog } from './repair-dialog'
import { RepairState, STATES } from './repair-state'
import { ReportDialog } from './report-dialog'
import { PAGE, type RepairRow } from './rows'

const DAY = 'YYYY-MM-DD'
const COLUMNS = [
  'robot',
  'state',
  'repair-type',
  'repair-detail',
  'reported-on',
  'reported-by',
  'handled-by',
  'handled-at',
]

export function RepairsScreen() {
  const { t } = useTranslation('records')
  const mayDelete = useMay('device/repair/delete')
  const { filters, change, turn, narrowed, page, whole } = useFilters(['text', 'state', 'device', 'from', 'to'])
  const [open, setOpen] = useState<number | 'new' | 'clear'>()
  const [leaving, setLeaving] = useState<RepairRow>()
  const state = STATES.find((option) => String(option) === filters.state)
  const deviceId = whole(filters.device)
  const query = useCall(
    '/repair/list',
    {
      ...{ currentPage: page, pageSize: PAGE, text: filters.text },
      ...(state !== undefined && { state }),
      ...(deviceId !== undefined && { deviceId }),
      ...(filters.from && { startDate: filters.from }),
      ...(filters.to && { endDate: filters.to }),
    },
    { keep: true },
  )
  const row = query.data?.list.find(({ id }) => id === open)
  const add = <AddButton onClick={() => setOpen('new')}>{t('report-repair')}</AddButton>
  const filterBar = (
    <>
      <Select
        aria-label={t('state')}
        value={state ?? null}
        placeholder={t('every-state')}
        allowClear
        options={STATES.map((value) => ({ value, label: <RepairState state={value} /> }))}
        onChange={(chosen: number | null | undefined) => change({ state: chosen == null ? '' : String(chosen) })}
      />
      <DevicePicker
        value={deviceId}
        label={t('robot')}
        placeholder={t('every-robot')}
        onChange={(chosen) => change({ device: chosen ? String(chosen) : '' })}
      />
      <DatePicker.RangePicker
        aria-label={t('days')}
        value={[filters.from ? dayjs(filters.from) : null, filters.to ? dayjs(filters.to) : null]}
        placeholder={[t('from'), t('to')]}
        allowEmpty={[true, true]}
        onChange={(range) => change({ from: range?.[0]?.format(DAY) ?? '', to: range?.[1]?.format(DAY) ?? '' })}
      />
    </>
  )
  return (
    <Page>
      <Bar text={filters.text} hint={t('search-repairs')} onSearch={(text) => change({ text })} filters={filterBar}>
        {mayDelete && <Button onClick={() => setOpen('clear')}>{t('delete-before')}</Button>}
        {add}
      </Bar>
      <QueryView
        query={query}
        isEmpty={({ list }) => list.length === 0}
        filtered={narrowed}
        empty={<Nothing why={t('no-repairs')} action={add} />}
      >
        {({ list, total }) => (
          <Table
            label={t('repair-record')}
            head={COLUMNS.map((column) => <th key={column}>{t(column)}</th>)}
            className={styles.table}
            foot={<Pages className={styles.foot} page={page} size={PAGE} total={total} onPage={turn} />}
          >
            {list.map((row) => (
              <Line
                key={row.id}
                row={row}
                onOpen={() => setOpen(row.id)}
                {...(mayDelete && { onDelete: () => setLeaving(row) })}
              />
            ))}
          </Table>
        )}
      </QueryView>
      {open === 'new' && <ReportDialog deviceId={deviceId} onClose={() => setOpen(undefined)} />}
      {open === 'clear' && <ClearDialog onClose={() => setOpen(undefined)} />}
      {row && <RepairDialog row={row} onRefresh={query.refetch} onClose={() => setOpen(undefined)} />}
      {leaving && <Deletion row={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

function Line({ row, onOpen, onDelete }: { row: RepairRow; onOpen(): void; onDelete?: () => void }) {
  const { t } = useTranslation('records')
  const { date, dateTime } = useFormats()
  return (
    <tr>
      <th scope="row">
        <Robot name={row.deviceCode} serial={row.deviceSerialNumber} />
      </th>
      <td>
        <RepairState state={row.state} />
      </td>
      <td>
        <bdi>{row.type}</bdi>
      </td>
      <td className={styles.detail}>
        <bdi>{row.detail}</bdi>
      </td>
      <td>{date(Date.parse(row.date), 'UTC')}</td>
      <td>
        <bdi>{row.operator}</bdi>
      </td>
      <td>
        <bdi>{row.processor}</bdi>
      </td>
      <td>{row.processTime && dateTime(Date.parse(row.processTime))}</td>
      <td data-actions>
        {row.ours && (
          <>
            <LineAction icon={IconPencil} label={t('edit')} name={`${row.type}, ${row.deviceCode}`} onClick={onOpen} />
            {onDelete && (
              <LineAction
                danger
                icon={IconTrash}
                label={t('delete')}
                name={`${row.type}, ${row.deviceCode}`}
                onClick={onDelete}
              />
            )}
          </>
        )}
      </td>
    </tr>
  )
}

function Deletion({ row, onClose }: { row: RepairRow; onClose(): void }) {
  const { t } = useTranslation('records')
  const action = useAction('/repair/deleteRepair', t('delete'))
  return (
    <DeleteDialog
      name={`${row.type} · ${row.deviceCode}`}
      action={action}
      onDelete={() => action.run({ id: row.id }, onClose)}
      onClose={onClose}
    />
  )
}

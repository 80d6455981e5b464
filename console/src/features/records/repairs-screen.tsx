/** /device/repair: what was wrong with robots, and what was done about it. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { DevicePicker } from '@/widgets/form/device-picker'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { Days } from '@/widgets/list/days'
import { choice, date, filters, number, words } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { ClearDialog } from './clear-dialog'
import styles from './records.module.css'
import { RepairDialog } from './repair-dialog'
import { RepairState, STATES, WORDS } from './repair-state'
import { ReportDialog } from './report-dialog'
import { Robot } from './robot'
import { PAGE, type RepairRow } from './rows'

const FILTERS = filters({
  text: words((text) => ({ text })),
  state: choice(STATES, (state) => ({ state })),
  device: number((deviceId) => ({ deviceId })),
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
})

const COLUMNS: readonly Column<RepairRow>[] = [
  { key: 'deviceCode', label: 'robot', heading: true, cell: (row) => <Robot row={row} /> },
  {
    key: 'state',
    label: 'state',
    value: ({ state }, { t }) => t(WORDS[state]),
    cell: ({ state }) => <RepairState state={state} />,
  },
  { key: 'type', label: 'repair-type' },
  { key: 'detail', label: 'repair-detail', cut: true },
  { key: 'date', label: 'reported-on', cell: (row, formats) => formats.date(Date.parse(row.date), 'UTC') },
  { key: 'operator', label: 'reported-by' },
  { key: 'processor', label: 'handled-by' },
  {
    key: 'processTime',
    label: 'handled-at',
    cell: (row, { dateTime }) => row.processTime && dateTime(Date.parse(row.processTime)),
  },
]

export function RepairsScreen() {
  const { t } = useTranslation('records')
  const mayDelete = useMay('device/repair/delete')
  const { values, change, query, list } = usePagedList('/repair/list', FILTERS, { size: PAGE })
  const [open, setOpen] = useState<number | 'new' | 'clear'>()
  const [leaving, setLeaving] = useState<RepairRow>()
  const edited = query.data?.list.find(({ id }) => id === open)
  const close = () => setOpen(undefined)
  const edit = (row: RepairRow) => row.ours && setOpen(row.id)
  const add = <AddButton onClick={() => setOpen('new')}>{t('report-repair')}</AddButton>
  return (
    <Page>
      <ListView
        name="repair"
        texts="records"
        label={t('repair-records')}
        columns={COLUMNS}
        {...list}
        idOf={({ id }) => id}
        onOpen={edit}
        className={styles.table}
        height={45}
        empty={<Nothing why={t('no-repairs')} action={add} />}
        tools={
          <>
            {mayDelete && <Button onClick={() => setOpen('clear')}>{t('delete-before')}</Button>}
            {add}
          </>
        }
        actions={(row) => row.ours && <RowActions row={row} onEdit={edit} onDelete={mayDelete && setLeaving} />}
        search={
          <Search text={values.text} hint={t('search-repairs')} onSearch={(text) => change({ text })}>
            <Select
              aria-label={t('state')}
              value={values.state ?? null}
              placeholder={t('every-state')}
              allowClear
              options={STATES.map((value) => ({ value, label: <RepairState state={value} /> }))}
              onChange={(state: (typeof STATES)[number] | null | undefined) => change({ state: state ?? undefined })}
            />
            <DevicePicker
              value={values.device}
              label={t('robot')}
              placeholder={t('every-robot')}
              onChange={(device) => change({ device })}
            />
            <Days {...values} onChange={change} />
          </Search>
        }
      />
      {open === 'new' && <ReportDialog deviceId={values.device} onClose={close} />}
      {open === 'clear' && <ClearDialog onClose={close} />}
      {edited && <RepairDialog row={edited} onRefresh={query.refetch} onClose={close} />}
      {leaving && <Deletion row={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

interface RowActionsProps {
  row: RepairRow
  onEdit(row: RepairRow): void
  onDelete: ((row: RepairRow) => void) | false
}

function RowActions({ row, onEdit, onDelete }: RowActionsProps) {
  const { t } = useTranslation('records')
  const name = `${row.type}, ${row.deviceCode}`
  return (
    <>
      <LineAction icon={IconPencil} label={t('edit')} name={name} onClick={() => onEdit(row)} />
      {onDelete && <LineAction danger icon={IconTrash} label={t('delete')} name={name} onClick={() => onDelete(row)} />}
    </>
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

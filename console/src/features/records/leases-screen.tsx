/** /device/hire: robots that are leased, and were. */

import { IconAlertTriangle, IconCircleCheck, IconCircleMinus } from '@tabler/icons-react'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { choice, filters, number, words } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { EndDialog } from './end-dialog'
import { LeaseDialog } from './lease-dialog'
import styles from './records.module.css'
import { Robot } from './robot'
import { type LeaseRow, PAGE } from './rows'

const WORDS = { running: 'lease-running', overdue: 'overdue', ended: 'lease-ended' } as const
const MARKS = { running: IconCircleCheck, overdue: IconAlertTriangle, ended: IconCircleMinus } as const
type State = keyof typeof WORDS

const STATES = ['running', 'overdue', 'ended'] as const
const STATE_PAYLOADS: Readonly<Record<State, { state: 0 | 1; overdue?: true }>> = {
  running: { state: 0 },
  overdue: { state: 0, overdue: true },
  ended: { state: 1 },
}
const FILTERS = filters({
  text: words((text) => ({ text })),
  state: choice(STATES, (state) => STATE_PAYLOADS[state]),
  device: number((deviceId) => ({ deviceId })),
})

const stateOf = ({ state, overdue }: LeaseRow): State => (state === 1 ? 'ended' : overdue ? 'overdue' : 'running')

const TONES = { running: 'cleaning', overdue: 'help', ended: undefined } as const

function LeaseState({ state }: { state: State }) {
  const { t } = useTranslation('records')
  const Mark = MARKS[state]
  return (
    <Row as="span" inline gap="xs" align="center" tone={TONES[state]}>
      <Mark size={15} stroke={1.75} aria-hidden />
      {t(WORDS[state])}
    </Row>
  )
}

const COLUMNS: readonly Column<LeaseRow>[] = [
  { key: 'deviceCode', label: 'robot', heading: true, cell: (row) => <Robot row={row} /> },
  {
    key: 'state',
    label: 'state',
    value: (row, { t }) => t(WORDS[stateOf(row)]),
    cell: (row) => <LeaseState state={stateOf(row)} />,
  },
  { key: 'customerName', label: 'lessee' },
  { key: 'startDate', label: 'lease-from', cell: (row, { date }) => date(Date.parse(row.startDate), 'UTC') },
  {
    key: 'endDate',
    label: 'lease-to',
    cell: (row, { t, date }) => (row.endDate ? date(Date.parse(row.endDate), 'UTC') : t('lease-open')),
  },
  {
    key: 'stoppedAt',
    label: 'ended-on',
    cell: ({ stoppedAt, stoppedBy }, { t, date }) =>
      stoppedAt && t('ended-by', { date: date(Date.parse(stoppedAt)), name: stoppedBy }),
  },
  { key: 'remark', label: 'remark', cut: true },
]

export function LeasesScreen() {
  const { t } = useTranslation('records')
  const mayEnd = useMay('device/hire/stop')
  const { values, change, list } = usePagedList('/hire/list', FILTERS, { size: PAGE })
  const [adding, setAdding] = useState(false)
  const [ending, setEnding] = useState<LeaseRow>()
  const add = <AddButton onClick={() => setAdding(true)}>{t('record-lease')}</AddButton>
  return (
    <Page>
      <ListView
        name="lease"
        texts="records"
        label={t('leases')}
        columns={COLUMNS}
        {...list}
        idOf={({ id }) => id}
        className={styles.table}
        height={45}
        empty={<Nothing why={t('no-leases')} action={add} />}
        tools={add}
        actions={(row) =>
          mayEnd &&
          row.ours &&
          row.state === 0 && (
            <Button size="small" aria-label={`${t('end-lease')}: ${row.deviceCode}`} onClick={() => setEnding(row)}>
              {t('end-lease')}
            </Button>
          )
        }
        search={
          <Search text={values.text} hint={t('search-leases')} onSearch={(text) => change({ text })}>
            <Select
              aria-label={t('state')}
              value={values.state ?? null}
              placeholder={t('every-state')}
              allowClear
              options={STATES.map((value) => ({ value, label: <LeaseState state={value} /> }))}
              onChange={(state: State | null | undefined) => change({ state: state ?? undefined })}
            />
            <DevicePicker
              value={values.device}
              label={t('robot')}
              placeholder={t('every-robot')}
              onChange={(device) => change({ device })}
            />
          </Search>
        }
      />
      {adding && <LeaseDialog deviceId={values.device} onClose={() => setAdding(false)} />}
      {ending && <EndDialog row={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  )
}

/** /warn/index/warn_set: what each code or event is, how grave, and by which of seven channels it is sent. */
import { Button, Checkbox, Segmented, Select } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import type { Payload } from '@/shared/rpc/contract'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { LEVEL_WORDS, LEVELS } from '@/widgets/alarm/levels'
import type { Column } from '@/widgets/list/columns'
import { filters, words } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import styles from './alarm.module.css'
import { CHANNEL_NAMES, CHANNELS, type Channel } from './notifications/channels'
import { type SettingRow, TYPE_WORDS, TYPES } from './rows'

const RuleList = lazy(async () => ({ default: (await import('./rules/rule-list')).RuleList }))
const TestDialog = lazy(async () => ({ default: (await import('./notifications/test-dialog')).TestDialog }))

const FILTERS = filters({ keyword: words((keyword) => ({ keyword })) })
const VIEWS = ['codes', 'rules'] as const
const PAGE = 50
const WAITS_S = [0, 30, 60, 300, 900, 3600]
const DRY_RUN_FRESH_MS = 60_000

type Change = Omit<Payload<'/wmWarnSet/edit'>, 'id'>
interface CellProps {
  row: SettingRow
}

function useChange({ id }: SettingRow) {
  const { t } = useTranslation('common')
  const send = useSend('/wmWarnSet/edit', { action: t('alarm-settings') })
  return { busy: send.isPending, change: (values: Change) => send.mutate({ id, ...values }) }
}

function ChannelCell({ row, channel }: CellProps & { channel: Channel }) {
  const { t } = useTranslation('common')
  const { busy, change } = useChange(row)
  return (
    <Checkbox
      aria-label={`${t(CHANNELS[channel])}: ${row.content}`}
      checked={row[channel] === 1}
      disabled={busy}
      onChange={(event) => change({ [channel]: event.target.checked ? 1 : 0 })}
    />
  )
}

function TypeCell({ row }: CellProps) {
  const { t } = useTranslation('alarm')
  const { busy, change } = useChange(row)
  return (
    <Select
      size="small"
      aria-label={`${t('type')}: ${row.content}`}
      value={row.type}
      disabled={busy}
      popupMatchSelectWidth={false}
      options={TYPES.map((value) => ({ value, label: t(`common:${TYPE_WORDS[value] ?? 'alarm'}`) }))}
      onChange={(type) => change({ type })}
    />
  )
}

function LevelCell({ row }: CellProps) {
  const { t } = useTranslation('common')
  const { busy, change } = useChange(row)
  return (
    <Select
      size="small"
      aria-label={`${t('alarm-level')}: ${row.content}`}
      value={row.level as (typeof LEVELS)[number]}
      disabled={busy}
      popupMatchSelectWidth={false}
      options={LEVELS.map((value) => ({ value, label: t(LEVEL_WORDS[value] ?? 'level-info') }))}
      onChange={(level) => change({ level })}
    />
  )
}

/** Each wait with how often it would have notified in the last 30 days. */
function WaitCell({ row }: CellProps) {
  const { t } = useTranslation('alarm')
  const { span, number } = useFormats()
  const { busy, change } = useChange(row)
  const tried = useCall('/wmWarnSet/dryRun', { waits: WAITS_S }, { staleTime: DRY_RUN_FRESH_MS }).data
  const name = (wait: number) => (wait ? span(wait * 1000) : t('at-once'))
  const describe = (wait: number) => {
    if (!tried || !WAITS_S.includes(wait)) return name(wait)
    const times = tried.list.find(({ code, notifyAfterS }) => code === row.code && notifyAfterS === wait)?.count ?? 0
    return t('would-notify', { wait: name(wait), times: number(times) })
  }
  const waits = [...new Set([...WAITS_S, row.notifyAfterS])].sort((a, b) => a - b)
  return (
    <Select
      size="small"
      aria-label={`${t('notify-after')}: ${row.content}`}
      value={row.notifyAfterS}
      disabled={busy}
      popupMatchSelectWidth={false}
      options={waits.map((value) => ({ value, label: describe(value) }))}
      labelRender={({ value }) => name(Number(value))}
      onChange={(notifyAfterS) => change({ notifyAfterS })}
    />
  )
}

/** How long what is gone must stay away. */
function OffDelayCell({ row }: CellProps) {
  const { t } = useTranslation('alarm')
  const { span } = useFormats()
  const { busy, change } = useChange(row)
  const delays = [...new Set([...WAITS_S, row.offDelayS])].sort((a, b) => a - b)
  return (
    <Select
      size="small"
      aria-label={`${t('resolve-after')}: ${row.content}`}
      value={row.offDelayS}
      disabled={busy}
      popupMatchSelectWidth={false}
      options={delays.map((value) => ({ value, label: value ? span(value * 1000) : t('at-once') }))}
      onChange={(offDelayS) => change({ offDelayS })}
    />
  )
}

function Name({ row }: CellProps) {
  const { t } = useTranslation('alarm')
  return (
    <>
      {row.content}
      <Text as="div" size="small" tone="soft" strong={false}>
        <bdi dir="ltr">{row.code}</bdi>
      </Text>
      {!row.known && (
        <span title={t('not-decided-how')}>
          <Tag tone="paused">{t('not-decided')}</Tag>
        </span>
      )}
      {CHANNEL_NAMES.every((channel) => row[channel] === 0) && (
        <span title={t('notifies-nobody-how')}>
          <Tag tone="offline">{t('notifies-nobody')}</Tag>
        </span>
      )}
    </>
  )
}

const COLUMNS: readonly Column<SettingRow>[] = [
  { key: 'content', label: 'common:alarm', heading: true, cell: (row) => <Name row={row} /> },
  { key: 'code', label: 'code', ltr: true, soft: true, extra: true },
  {
    key: 'type',
    label: 'type',
    value: ({ type }, { t }) => t(`common:${TYPE_WORDS[type] ?? 'alarm'}`),
    cell: (row) => <TypeCell row={row} />,
  },
  {
    key: 'level',
    label: 'common:alarm-level',
    value: ({ level }, { t }) => t(`common:${LEVEL_WORDS[level] ?? 'level-info'}`),
    cell: (row) => <LevelCell row={row} />,
  },
  {
    key: 'notifyAfterS',
    label: 'notify-after',
    value: ({ notifyAfterS }) => notifyAfterS,
    cell: (row) => <WaitCell row={row} />,
  },
  {
    key: 'offDelayS',
    label: 'resolve-after',
    value: ({ offDelayS }) => offDelayS,
    cell: (row) => <OffDelayCell row={row} />,
  },
  ...CHANNEL_NAMES.map(
    (channel): Column<SettingRow> => ({
      key: channel,
      label: `common:${CHANNELS[channel]}`,
      value: (row) => row[channel],
      cell: (row) => <ChannelCell row={row} channel={channel} />,
    }),
  ),
]

export function SettingsScreen() {
  const { t } = useTranslation('alarm')
  const [params, setParams] = useSearchParams()
  const view = VIEWS.find((name) => name === params.get('view')) ?? 'codes'
  const choose = (
    <Segmented
      aria-label={t('common:alarm-settings')}
      value={view}
      options={VIEWS.map((value) => ({ value, label: t(value === 'codes' ? 'codes' : 'server-rules') }))}
      onChange={(next) => setParams(next === 'codes' ? {} : { view: next }, { replace: true })}
    />
  )
  return (
    <Page>
      {view === 'codes' ? (
        <CodeList head={choose} />
      ) : (
        <Suspense>
          <RuleList head={choose} />
        </Suspense>
      )}
    </Page>
  )
}

function CodeList({ head }: { head: ReactNode }) {
  const { t } = useTranslation('alarm')
  const [testing, setTesting] = useState(false)
  const { values, change, list } = usePagedList('/wmWarnSet/queryByPage', FILTERS, { size: PAGE })
  return (
    <>
      <ListView<SettingRow>
        name="alarmSetting"
        texts="alarm"
        label={t('common:alarm-settings')}
        columns={COLUMNS}
        {...list}
        idOf={({ id }) => id}
        className={styles.settings}
        empty={<Nothing why={t('common:empty-list')} />}
        search={
          <Row wrap gap="s" align="center">
            {head}
            <Search text={values.keyword} hint={t('search-codes')} onSearch={(keyword) => change({ keyword })} />
          </Row>
        }
        tools={<Button onClick={() => setTesting(true)}>{t('test-channels')}</Button>}
      />
      {testing && (
        <Suspense>
          <TestDialog onClose={() => setTesting(false)} />
        </Suspense>
      )}
    </>
  )
}

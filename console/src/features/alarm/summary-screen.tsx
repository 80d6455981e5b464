/** /device/warnSummary: the last seven days, whether alarms are any good, and which codes, types and robots had the most alarms. */
import { useSearchParams } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Toolbar } from '@/shared/ui/layout'
import { Page, Panel } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { LEVEL_WORDS } from '@/widgets/alarm/levels'
import { OwnerTree } from '@/widgets/form/owner-tree'
import type { Column } from '@/widgets/list/columns'
import { Days } from '@/widgets/list/days'
import { useFilters } from '@/widgets/list/filters'
import { ShortList } from '@/widgets/list/short-list'
import { FILTERS } from './filters'
import { Measures } from './measures'
import { TYPE_WORDS, TYPES } from './rows'
import { Week } from './week'

type Summary = Answer<'/warn/warnSummary'>
type CodeRow = Summary['list'][number]
type DeviceRow = Summary['devices'][number]
interface TypeRow {
  readonly type: number
  readonly count: number
  readonly open: number
}

const COUNTS = [
  { key: 'count', label: 'amount', number: true, value: ({ count }: TypeRow) => count },
  { key: 'open', label: 'open', number: true, value: ({ open }: TypeRow) => open },
] as const

const CODES: readonly Column<CodeRow>[] = [
  { key: 'content', label: 'common:alarm', heading: true },
  { key: 'code', label: 'code', ltr: true, soft: true },
  { key: 'type', label: 'type', value: ({ type }, { t }) => t(`common:${TYPE_WORDS[type] ?? 'alarm'}`) },
  {
    key: 'level',
    label: 'common:alarm-level',
    value: ({ level }, { t }) => t(`common:${LEVEL_WORDS[level] ?? 'level-info'}`),
  },
  ...COUNTS,
  { key: 'devices', label: 'robots', number: true },
]
const ROBOTS: readonly Column<DeviceRow>[] = [
  { key: 'deviceCode', label: 'common:robot', heading: true, cell: ({ deviceCode }) => <bdi>{deviceCode}</bdi> },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true, soft: true },
  { key: 'count', label: 'amount', number: true },
  { key: 'open', label: 'open', number: true },
]
const KINDS: readonly Column<TypeRow>[] = [
  { key: 'name', label: 'type', heading: true, value: ({ type }, { t }) => t(`common:${TYPE_WORDS[type] ?? 'alarm'}`) },
  ...COUNTS,
]

const byType = (rows: readonly CodeRow[]): TypeRow[] =>
  TYPES.map((type) => {
    const ofType = rows.filter((row) => row.type === type)
    const sum = (of: 'count' | 'open') => ofType.reduce((all, row) => all + row[of], 0)
    return { type, count: sum('count'), open: sum('open') }
  })

export function SummaryScreen() {
  const { t } = useTranslation('alarm')
  const [query] = useSearchParams()
  const { values, change } = useFilters(FILTERS)
  const { owner, from, to } = FILTERS.read(query)
  const summary = useCall(
    '/warn/warnSummary',
    { ...(owner && { userId: owner }), ...(from && { startDate: from }), ...(to && { endDate: to }) },
    { keep: true },
  )
  const part = <R,>(rows: ((data: Summary) => readonly R[]) | undefined) => ({
    ...summary,
    data: summary.data && rows && { list: rows(summary.data) },
  })
  const empty = <Nothing why={t('no-alarms')} />
  return (
    <Page>
      <Toolbar>
        <OwnerTree value={values.owner} onChange={(chosen) => change({ owner: chosen })} />
        <Days from={values.from} to={values.to} onChange={change} />
      </Toolbar>
      <Week userId={owner} />
      <Measures userId={owner} />
      <Panel title={t('by-code')}>
        <ShortList
          texts="alarm"
          label={t('by-code')}
          columns={CODES}
          query={part(({ list }) => list)}
          idOf={({ code, type }) => `${code} ${type}`}
          empty={empty}
        />
      </Panel>
      <Panel title={t('by-robot')}>
        <ShortList
          texts="alarm"
          label={t('by-robot')}
          columns={ROBOTS}
          query={part(({ devices }) => devices)}
          idOf={({ deviceId }) => deviceId}
          empty={empty}
        />
      </Panel>
      <Panel title={t('by-type')}>
        <ShortList
          texts="alarm"
          label={t('by-type')}
          columns={KINDS}
          query={part(({ list }) => byType(list))}
          idOf={({ type }) => type}
          empty={empty}
        />
      </Panel>
    </Page>
  )
}

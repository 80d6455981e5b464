/** How the robots of a roll-out do on its version, beside how the same robots did before. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import type { Query } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import type { Rollout } from '../rows'

type Measure = Rollout['health'][number]
type Name = Measure['name']

const WORDS = {
  alarms: 'rollout:measure-alarms',
  assists: 'rollout:measure-assists',
  coverage: 'common:coverage',
  area: 'common:cleaning-efficiency',
  battery: 'rollout:measure-battery',
} as const satisfies Record<Name, string>
const PERCENT = 100
/** Of these less is worse; of the others more. */
const LESS: ReadonlySet<Name> = new Set(['coverage', 'area'])

function Amount({ name, amount }: { name: Name; amount: number | null }) {
  const { number, percent, unit } = useFormats()
  if (amount === null) return '–'
  if (name === 'coverage') return percent(amount, 1)
  if (name === 'battery') return percent(amount / PERCENT, 1)
  return name === 'area' ? unit(amount, 'm2-per-hour') : number(amount, 2)
}

/** Beyond its limit, but by so few alarms that chance may have brought them. */
const mayBeChance = ({ name, before, after, limit }: Measure) =>
  before !== null && after !== null && (LESS.has(name) ? before - after : after - before) > (before * limit) / PERCENT

function Verdict({ measure }: { measure: Measure }) {
  const { t } = useTranslation('rollout')
  const { worse, after } = measure
  if (worse) return <Mark shape="warning" word={t('is-worse')} />
  if (after === null) return <Mark shape="offline" word={t('no-comparison')} />
  return <Mark shape="done" word={t(mayBeChance(measure) ? 'may-be-chance' : 'within-limit')} />
}

function Mark({ shape, word }: { shape: 'warning' | 'offline' | 'done'; word: string }) {
  return (
    <Row as="span" inline gap="s" align="center">
      <StateMark state={shape} size={15} />
      {word}
    </Row>
  )
}

const COLUMNS: readonly Column<Measure>[] = [
  { key: 'name', label: 'measure', heading: true, value: ({ name }, { t }) => t(WORDS[name]) },
  {
    key: 'worse',
    label: 'verdict',
    value: ({ worse }) => Number(worse),
    cell: (measure) => <Verdict measure={measure} />,
  },
  { key: 'before', label: 'before', cell: ({ name, before }) => <Amount name={name} amount={before} /> },
  { key: 'after', label: 'after', cell: ({ name, after }) => <Amount name={name} amount={after} /> },
  {
    key: 'change',
    label: 'change',
    value: ({ before, after }) => (before ? (after ?? before) / before - 1 : 0),
    cell: ({ before, after }, { percent }) => (before && after !== null ? percent(after / before - 1, 1) : '–'),
  },
  {
    key: 'limit',
    label: 'limit',
    value: ({ limit }) => limit,
    cell: ({ name, limit }, { percent }) => percent(((LESS.has(name) ? -1 : 1) * limit) / PERCENT),
  },
  { key: 'robots', label: 'robot-count', number: true },
]

export function Health({ query }: { query: Query<Rollout> }) {
  const { t } = useTranslation('rollout')
  const { data, error, isPending, refetch } = query
  if (!data?.health.length) return null
  return (
    <Panel title={t('health')}>
      <ShortList
        texts="rollout"
        label={t('health')}
        columns={COLUMNS}
        query={{ data: { list: data.health }, error, isPending, refetch }}
        idOf={({ name }) => name}
      />
    </Panel>
  )
}

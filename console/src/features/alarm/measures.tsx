/** Whether the alarms of a fleet are any good: each measure with its target, and where to change what misses it. */
import { useFormats } from '@/shared/i18n/format'
import type { Keys } from '@/shared/i18n/keys'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Panel } from '@/shared/ui/panel'
import type { Column } from '@/widgets/list/columns'
import { LinkButton } from '@/widgets/list/link-button'
import { ShortList } from '@/widgets/list/short-list'

type Measure = Answer<'/warn/measures'>['list'][number]
type Name = Measure['name']

const SETTINGS = 'warn/index/warn_set'
const CENTRE = 'warn/index/warn'
const WORDS: Readonly<Record<Name, Keys['alarm']>> = {
  perHour: 'measure-per-hour',
  peak: 'measure-peak',
  flood: 'measure-flood',
  standing: 'measure-standing',
  chattering: 'measure-chattering',
  take: 'measure-take',
  resolve: 'measure-resolve',
}
/** What mends it: a longer wait in the settings, or somebody who takes it. */
const MENDED: Readonly<Record<Name, { key: string; query?: string }>> = {
  perHour: { key: SETTINGS },
  peak: { key: SETTINGS },
  flood: { key: SETTINGS },
  standing: { key: CENTRE, query: '?state=1' },
  chattering: { key: SETTINGS },
  take: { key: CENTRE },
  resolve: { key: CENTRE },
}

function Amount({ name, amount }: { name: Name; amount: number | null }) {
  const { number, percent, duration } = useFormats()
  if (amount === null) return '–'
  if (name === 'flood') return percent(amount)
  if (name === 'take' || name === 'resolve') return duration(amount)
  return number(amount, name === 'perHour' ? 1 : 0)
}

function Target({ row: { name, most } }: { row: Measure }) {
  const { t } = useTranslation('alarm')
  return (
    <>
      {t('at-most')} <Amount name={name} amount={most} />
    </>
  )
}

function Met({ row: { name, met, value } }: { row: Measure }) {
  const { t } = useTranslation('alarm')
  const { key, query = '' } = MENDED[name]
  const may = useMay(key)
  if (value === null) return null
  if (met) return <Tag tone="cleaning">{t('measure-met')}</Tag>
  return (
    <>
      <Tag tone="help">{t('measure-missed')}</Tag>{' '}
      {may && (
        <LinkButton size="small" to={`/${key}${query}`}>
          {t(key === SETTINGS ? 'common:alarm-settings' : 'common:alarm-centre')}
        </LinkButton>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Measure>[] = [
  { key: 'name', label: 'measure', heading: true, value: ({ name }, { t }) => t(WORDS[name]) },
  { key: 'value', label: 'amount', number: true, cell: ({ name, value }) => <Amount name={name} amount={value} /> },
  { key: 'most', label: 'target', value: ({ most }) => most, cell: (row) => <Target row={row} /> },
  { key: 'met', label: 'state', value: ({ met }) => Number(met), cell: (row) => <Met row={row} /> },
]

export function Measures({ userId }: { userId: number | undefined }) {
  const { t } = useTranslation('alarm')
  const measures = useCall('/warn/measures', userId ? { userId } : {}, { keep: true })
  return (
    <Panel title={t('measures')}>
      <ShortList texts="alarm" label={t('measures')} columns={COLUMNS} query={measures} idOf={({ name }) => name} />
    </Panel>
  )
}

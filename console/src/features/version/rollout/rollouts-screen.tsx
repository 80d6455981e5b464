/** /version/soft/rollout: roll-outs of published versions; the one that the address names with its steps and robots. */
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { Tag } from '@/shared/marks/tag'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { filters, number } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { PAGE, type RolloutRow } from '../rows'
import { RolloutDetail } from './rollout-detail'
import { stateOf } from './states'

const FILTERS = filters({ rollout: number(() => ({})) })

const KINDS = {
  soft: 'common:software-version',
  firmware: 'common:firmware',
  app: 'common:app-version',
  whole: 'common:system-version',
} as const

const COLUMNS: readonly Column<RolloutRow>[] = [
  {
    key: 'name',
    label: 'common:roll-out',
    heading: true,
    value: ({ kind, name }, { t }) => (kind === 'back' ? t('rollout:back', { name }) : name),
  },
  { key: 'versionKind', label: 'kind', value: ({ versionKind }, { t }) => t(KINDS[versionKind]) },
  { key: 'version', label: 'common:version', ltr: true },
  {
    key: 'state',
    label: 'state',
    value: (row, { t }) => t(stateOf(row)[1]),
    cell: (row, { t }) => <Tag tone={stateOf(row)[0]}>{t(stateOf(row)[1])}</Tag>,
  },
  {
    key: 'confirmed',
    label: 'progress',
    value: ({ confirmed }) => confirmed,
    cell: ({ name, confirmed, robots }) => <LaneProgress ratio={confirmed / robots} label={name} width={120} />,
  },
  { key: 'robots', label: 'robot-count', number: true },
  { key: 'createTime', label: 'begun', cell: ({ createTime }, { dateTime }) => dateTime(Date.parse(createTime)) },
]

export function RolloutsScreen() {
  const { t } = useTranslation('rollout')
  const { values, change, list } = usePagedList('/version/selectRollouts', FILTERS, { size: PAGE })
  return (
    <Page>
      {values.rollout !== undefined && <RolloutDetail id={values.rollout} onOpen={(rollout) => change({ rollout })} />}
      <ListView
        name="rollouts"
        texts="rollout"
        label={t('common:roll-out')}
        columns={COLUMNS}
        {...list}
        narrowed={false}
        idOf={({ id }) => id}
        empty={<Nothing why={t('empty')} />}
        onOpen={({ id }) => change({ rollout: id })}
      />
    </Page>
  )
}

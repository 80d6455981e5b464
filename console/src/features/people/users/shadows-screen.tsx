/** /user/userShadow: accounts that see the same robots as the one that they stand for, with permissions of their own. */
import { IconUserPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay, useSession } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { useFilters } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { createdBy } from '../roles/levels'
import { AddDialog } from './add-dialog'
import { FILTERS } from './filters'
import { Search } from './search'
import { UserActions } from './user-actions'
import { columnsOf } from './user-columns'
import { useDialogs } from './user-dialogs'

const NO_LEVELS: readonly number[] = []

const COLUMNS = columnsOf('shadow-of')

export function ShadowsScreen() {
  const { t } = useTranslation('people')
  const level = useSession()?.levelDepth ?? 5
  const { values, paging, change, reset, turn } = useFilters(FILTERS)
  const filters = { ...values, levels: NO_LEVELS }
  const [adding, setAdding] = useState(false)
  const { onAction, dialogs } = useDialogs()
  const mayAdd = useMay('user/index/add') && createdBy(level) !== undefined
  const add = mayAdd && (
    <Button type="primary" icon={<IconUserPlus size={17} stroke={2} />} onClick={() => setAdding(true)}>
      {t('add-shadow-user')}
    </Button>
  )
  const query = useCall('/user/selectUserList', { ...FILTERS.payload(filters), isShadow: 1, ...paging }, { keep: true })
  return (
    <Page>
      <ListView
        name="shadowUser"
        texts="people"
        label={t('shadow-users')}
        columns={COLUMNS}
        query={query}
        idOf={({ userId }) => userId}
        narrowed={filters.text !== ''}
        onReset={reset}
        paging={paging}
        onPage={turn}
        empty={<Nothing why={t('no-shadows')} action={add} />}
        search={<Search filters={filters} searchable={NO_LEVELS} onChange={change} />}
        tools={add}
        actions={(row) => <UserActions row={row} onAction={onAction} />}
      />
      {dialogs}
      {adding && <AddDialog level={level} shadow onClose={() => setAdding(false)} />}
    </Page>
  )
}

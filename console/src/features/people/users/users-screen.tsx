/** /user/index: the accounts below one's own, as a tree; a search makes it a flat list. */
import { IconUserPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { loadEveryRow } from '@/shared/rpc/every-row'
import { useCall } from '@/shared/rpc/hooks'
import { useMay, useSession } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import type { Column, Writing } from '@/widgets/list/columns'
import { useFilters } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import type { UserRow } from '@/widgets/person/person'
import { addWord, createdBy, searchedBy } from '../roles/levels'
import { AddDialog } from './add-dialog'
import { FILTERS } from './filters'
import { inTree } from './in-tree'
import { Search } from './search'
import { UserActions } from './user-actions'
import { columnsOf } from './user-columns'
import { useDialogs } from './user-dialogs'
import { UserTree, useBelow } from './user-tree'

const COLUMNS = columnsOf('parent-user')

export function UsersScreen() {
  const { t } = useTranslation('people')
  const session = useSession()
  const level = session?.levelDepth ?? 5
  const searchable = searchedBy(level)
  const { values, paging, change, reset, turn } = useFilters(FILTERS)
  const filters = { ...values, levels: searchable.filter((entry) => values.levels.includes(entry)) }
  const narrowed = filters.text !== '' || filters.levels.length > 0
  const [adding, setAdding] = useState(false)
  const { onAction, dialogs } = useDialogs()
  const makes = createdBy(level)
  const mayAdd = useMay('user/index/add') && makes !== undefined
  const add = mayAdd && (
    <Button type="primary" icon={<IconUserPlus size={17} stroke={2} />} onClick={() => setAdding(true)}>
      {t(addWord(makes))}
    </Button>
  )
  const first = useBelow(session?.shadowId ?? session?.userId ?? 0, session !== undefined && !narrowed)
  const results = useCall(
    '/user/selectUserList',
    { ...FILTERS.payload(filters), ...paging },
    { keep: true, enabled: narrowed },
  )
  if (!session) return null
  const tree = first.data && {
    list: first.data.pages.flatMap(({ list }) => list),
    total: first.data.pages[0]?.total ?? 0,
  }
  return (
    <Page>
      <ListView
        name="user"
        texts="people"
        label={t('users')}
        columns={COLUMNS}
        query={narrowed ? results : { ...first, data: tree }}
        idOf={({ userId }) => userId}
        narrowed={narrowed}
        onReset={reset}
        {...(narrowed && { paging })}
        onPage={turn}
        loadAll={async () => {
          const rows = await loadEveryRow('/user/selectUserList', FILTERS.payload(filters))
          return narrowed ? rows : inTree(rows)
        }}
        empty={<Nothing why={t('no-users')} action={add} />}
        search={<Search filters={filters} searchable={searchable} onChange={change} />}
        tools={add}
        actions={(row) => <UserActions row={row} onAction={onAction} />}
        {...(!narrowed && {
          body: (columns: readonly Column<UserRow>[], writing: Writing) => (
            <UserTree {...{ first, columns, writing, onAction }} />
          ),
        })}
      />
      {dialogs}
      {adding && makes !== undefined && <AddDialog level={makes} onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** /user/index: the accounts below one's own, as a tree; a search makes it a flat list. */
import { IconUserPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay, useSession } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { useFilters } from '@/widgets/list/filters'
import { addWord, createdBy, searchedBy } from '../roles/levels'
import { AddDialog } from './add-dialog'
import { FILTERS } from './filters'
import { Toolbar } from './toolbar'
import { useDialogs } from './user-dialogs'
import { UserResults } from './user-results'
import { UserTree } from './user-tree'

export function UsersScreen() {
  const { t } = useTranslation('people')
  const session = useSession()
  const level = session?.levelDepth ?? 5
  const searchable = searchedBy(level)
  const { values, change, reset } = useFilters(FILTERS)
  const filters = { ...values, levels: searchable.filter((entry) => values.levels.includes(entry)) }
  const [adding, setAdding] = useState(false)
  const { onAction, dialogs } = useDialogs()
  const makes = createdBy(level)
  const mayAdd = useMay('user/index/add') && makes !== undefined
  const add = mayAdd && (
    <Button type="primary" icon={<IconUserPlus size={17} stroke={2} />} onClick={() => setAdding(true)}>
      {t(addWord(makes))}
    </Button>
  )
  if (!session) return null
  const narrowed = filters.text !== '' || filters.levels.length > 0
  const empty = <Nothing why={t('no-users')} action={add} />
  return (
    <Page>
      <Toolbar filters={filters} searchable={searchable} onChange={change}>
        {add}
      </Toolbar>
      {narrowed ? (
        <UserResults filters={filters} onAll={reset} onAction={onAction} />
      ) : (
        <UserTree of={session.shadowId ?? session.userId} empty={empty} onAction={onAction} />
      )}
      {dialogs}
      {adding && makes !== undefined && <AddDialog level={makes} onClose={() => setAdding(false)} />}
    </Page>
  )
}

/** /user/userShadow: accounts that see the same robots as the one that they stand for, with permissions of their own. */
import { IconUserPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay, useSession } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { filters, words } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { createdBy } from '../roles/levels'
import { AddDialog } from './add-dialog'
import { Search } from './search'
import { UserActions } from './user-actions'
import { columnsOf } from './user-columns'
import { useDialogs } from './user-dialogs'

const FILTERS = filters({ text: words((keyword) => ({ keyword })) })
const NO_LEVELS: readonly number[] = []

const COLUMNS = columnsOf('shadow-of')

export function ShadowsScreen() {
  const { t } = useTranslation('people')
  const level = useSession()?.levelDepth ?? 5
  const { values, change, list } = usePagedList('/user/selectUserList', FILTERS, { also: { isShadow: 1 } })
  const [adding, setAdding] = useState(false)
  const { onAction, dialogs } = useDialogs()
  const mayAdd = useMay('user/index/add') && createdBy(level) !== undefined
  const add = mayAdd && (
    <Button type="primary" icon={<IconUserPlus size={17} stroke={2} />} onClick={() => setAdding(true)}>
      {t('add-shadow-user')}
    </Button>
  )
  return (
    <Page>
      <ListView
        name="shadowUser"
        texts="people"
        label={t('shadow-users')}
        columns={COLUMNS}
        {...list}
        idOf={({ userId }) => userId}
        empty={<Nothing why={t('no-shadows')} action={add} />}
        search={
          <Search
            filters={{ ...values, levels: NO_LEVELS }}
            searchable={NO_LEVELS}
            onChange={({ text }) => change({ text })}
          />
        }
        tools={add}
        actions={(row) => <UserActions row={row} onAction={onAction} />}
      />
      {dialogs}
      {adding && <AddDialog level={level} shadow onClose={() => setAdding(false)} />}
    </Page>
  )
}

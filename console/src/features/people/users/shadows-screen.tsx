/** /user/userShadow: accounts that see the same robots as the one that they stand for, with permissions of their own. */
import { IconUserPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay, useSession } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { useFilters } from '@/widgets/list/filters'
import { createdBy } from '../roles/levels'
import { AddDialog } from './add-dialog'
import { FILTERS } from './filters'
import { Toolbar } from './toolbar'
import { useDialogs } from './user-dialogs'
import { UserResults } from './user-results'

const NO_LEVELS: readonly number[] = []

export function ShadowsScreen() {
  const { t } = useTranslation('people')
  const level = useSession()?.levelDepth ?? 5
  const { values, change, reset } = useFilters(FILTERS)
  const filters = { ...values, levels: NO_LEVELS }
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
      <Toolbar filters={filters} searchable={NO_LEVELS} onChange={change}>
        {add}
      </Toolbar>
      <UserResults
        filters={filters}
        shadows
        empty={<Nothing why={t('no-shadows')} action={add} />}
        onAll={reset}
        onAction={onAction}
      />
      {dialogs}
      {adding && <AddDialog level={level} shadow onClose={() => setAdding(false)} />}
    </Page>
  )
}

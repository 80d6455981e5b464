/** Accounts that a search finds, however deep they stand, or the shadows: a flat list that names whom each stands below. */
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '@/shared/rpc/hooks'
import { Failed, Loading, Nothing } from '@/shared/ui/query-view'
import { FILTERS, type Filters } from './filters'
import type { OnUserAction } from './user-actions'
import { UserLine, UserTable } from './user-table'
import { Rest } from './user-tree'

const PAGE = 50

interface Props {
  filters: Filters
  shadows?: boolean
  /** What stands here when there is none and no filter. */
  empty?: ReactNode
  onAll(): void
  onAction: OnUserAction
}

export function UserResults({ filters, shadows = false, empty, onAll, onAction }: Props) {
  const { t } = useTranslation('people')
  const results = usePages(
    '/user/selectUserList',
    {
      ...FILTERS.payload(filters),
      ...(shadows && { isShadow: 1 as const }),
    },
    PAGE,
  )
  const rows = results.data?.pages.flatMap(({ list }) => list) ?? []
  if (results.isPending) return <Loading />
  if (results.isError && rows.length === 0) return <Failed error={results.error} retry={() => void results.refetch()} />
  if (rows.length === 0)
    return FILTERS.narrowed(filters) ? (
      <Nothing why={t('empty-search')} action={<Button onClick={onAll}>{t('remove-filter')}</Button>} />
    ) : (
      empty
    )
  return (
    <UserTable label={shadows ? t('shadow-user') : t('user')} {...(shadows && { above: t('shadow-of') })}>
      {rows.map((row) => (
        <UserLine key={row.userId} row={row} onAction={onAction} />
      ))}
      <Rest pages={results} />
    </UserTable>
  )
}

/** The accounts below one's own; a level is asked for when somebody unfolds it. */

import { Button } from 'antd'
import { Fragment, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePages } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Failed, Loading, Nothing } from '@/shared/ui/query-view'
import type { OnUserAction } from './user-actions'
import { COLUMNS, UserLine, UserTable } from './user-table'

const PAGE = 50

interface Props {
  /** Whose. */
  of: number
  empty: ReactNode
  onAction: OnUserAction
}

const useBelow = (of: number) => usePages('/user/selectUserInfo', { userId: of }, PAGE)

export function UserTree({ of, empty, onAction }: Props) {
  const { t } = useTranslation('people')
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const first = useBelow(of)
  const flip = (id: number) =>
    setOpen((was) => new Set(was.has(id) ? [...was].filter((other) => other !== id) : [...was, id]))
  if (first.isPending) return <Loading />
  if (first.isError && !first.data) return <Failed error={first.error} retry={() => void first.refetch()} />
  if (first.data?.pages[0]?.total === 0) return empty
  return (
    <UserTable label={t('user')}>
      <Rows below={first} depth={0} open={open} onFlip={flip} onAction={onAction} />
    </UserTable>
  )
}

interface RowsProps {
  below: ReturnType<typeof useBelow>
  depth: number
  open: ReadonlySet<number>
  onFlip(id: number): void
  onAction: OnUserAction
}

const Branch = ({ of, ...rest }: Omit<RowsProps, 'below'> & { of: number }) => <Rows below={useBelow(of)} {...rest} />

function Rows({ below, depth, open, onFlip, onAction }: RowsProps) {
  const rows = below.data?.pages.flatMap(({ list }) => list) ?? []
  return (
    <>
      {rows.map((row) => (
        <Fragment key={row.userId}>
          <UserLine
            row={row}
            depth={depth}
            fold={{ open: open.has(row.userId), onToggle: () => onFlip(row.userId) }}
            onAction={onAction}
          />
          {row.childCount > 0 && open.has(row.userId) && (
            <Branch of={row.userId} depth={depth + 1} open={open} onFlip={onFlip} onAction={onAction} />
          )}
        </Fragment>
      ))}
      <Rest pages={below} />
    </>
  )
}

interface Pages {
  readonly isPending: boolean
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): unknown
  refetch(): unknown
}

/** The line under the rows that are there: more of them, or why not. */
export function Rest({ pages }: { pages: Pages }) {
  const { t } = useTranslation('people')
  const { error } = pages
  if (!pages.isPending && !error && !pages.hasNextPage) return null
  return (
    <tr>
      <td colSpan={COLUMNS}>
        {pages.isPending && <Loading shape={<Nothing why={t('loading-data')} />} />}
        {error && (
          <Failed error={error} retry={() => void (pages.hasNextPage ? pages.fetchNextPage() : pages.refetch())} />
        )}
        {!error && pages.hasNextPage && (
          <Row justify="center">
            <Button size="small" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              {t('show-more')}
            </Button>
          </Row>
        )}
      </td>
    </tr>
  )
}

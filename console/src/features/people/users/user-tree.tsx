/** The accounts below one's own; a level is asked for when somebody unfolds it. */
import { IconChevronRight } from '@tabler/icons-react'
import { Button } from 'antd'
import { Fragment, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { usePages } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Failed, Loading, Nothing } from '@/shared/ui/query-view'
import table from '@/shared/ui/table.module.css'
import type { Column, Writing } from '@/widgets/list/columns'
import { Cells, Heads } from '@/widgets/list/table'
import type { UserRow } from '@/widgets/person/person'
import { type OnUserAction, UserActions } from './user-actions'
import { Name } from './user-columns'
import styles from './users.module.css'

const PAGE = 50

export const useBelow = (of: number, enabled = true) =>
  usePages('/user/selectUserInfo', { userId: of }, PAGE, { enabled })

interface Shared {
  columns: readonly Column<UserRow>[]
  writing: Writing
  onAction: OnUserAction
}

interface Props extends Shared {
  first: ReturnType<typeof useBelow>
}

export function UserTree({ first, ...shared }: Props) {
  const { t } = useTranslation('people')
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const flip = (id: number) =>
    setOpen((was) => new Set(was.has(id) ? [...was].filter((other) => other !== id) : [...was, id]))
  return (
    <div className={table.box}>
      <table className={`${table.table} ${table.soft} ${table.cards}`} aria-label={t('users')}>
        <Heads columns={shared.columns} writing={shared.writing} sort={undefined} actions />
        <tbody>
          <Rows {...shared} below={first} depth={0} open={open} onFlip={flip} />
        </tbody>
      </table>
    </div>
  )
}

interface RowsProps extends Shared {
  below: ReturnType<typeof useBelow>
  depth: number
  open: ReadonlySet<number>
  onFlip(id: number): void
}

const Branch = ({ of, ...rest }: Omit<RowsProps, 'below'> & { of: number }) => <Rows below={useBelow(of)} {...rest} />

function Rows({ below, ...rest }: RowsProps) {
  const { columns, writing, depth, open, onFlip, onAction } = rest
  const rows = below.data?.pages.flatMap(({ list }) => list) ?? []
  const named = columns.map((column) => ({
    ...column,
    ...(column.heading && {
      cell: (row: UserRow) => (
        <Name
          row={row}
          depth={depth}
          fold={<Folding row={row} open={open.has(row.userId)} onToggle={() => onFlip(row.userId)} />}
        />
      ),
    }),
  }))
  return (
    <>
      {rows.map((row) => (
        <Fragment key={row.userId}>
          <tr>
            <Cells
              columns={named}
              row={row}
              writing={writing}
              actions={() => <UserActions row={row} onAction={onAction} />}
            />
          </tr>
          {row.childCount > 0 && open.has(row.userId) && <Branch {...rest} of={row.userId} depth={depth + 1} />}
        </Fragment>
      ))}
      <Rest pages={below} width={columns.length + 1} />
    </>
  )
}

interface FoldingProps {
  row: UserRow
  open: boolean
  onToggle(): void
}

function Folding({ row, open, onToggle }: FoldingProps) {
  const { t } = useTranslation('people')
  const { number } = useFormats()
  const label = t('below', { name: row.name })
  if (row.childCount === 0) return <span className={styles.fold} />
  return (
    <Row
      as="button"
      inline
      align="center"
      size="small"
      tone="quiet"
      type="button"
      className={styles.fold}
      aria-expanded={open}
      aria-label={`${number(row.childCount)} · ${label}`}
      title={t('count-users', { count: row.childCount })}
      onClick={onToggle}
    >
      <IconChevronRight size={14} stroke={2} data-flip aria-hidden="true" />
      <span aria-hidden="true">{number(row.childCount)}</span>
    </Row>
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
function Rest({ pages, width }: { pages: Pages; width: number }) {
  const { t } = useTranslation('people')
  const { error } = pages
  if (!pages.isPending && !error && !pages.hasNextPage) return null
  return (
    <tr>
      <td colSpan={width}>
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

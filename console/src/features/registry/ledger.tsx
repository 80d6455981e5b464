/** A dense table of entries with their actions at the end of each line. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Query, QueryView } from '@/shared/ui/query-view'
import { Table } from '@/shared/ui/table'
import { LineAction } from '@/widgets/list/line-action'
import { SearchForm } from '@/widgets/list/search-form'
import type { EntryRequest, Kind } from './entry-dialogs'
import styles from './registry.module.css'

interface Props<R> {
  label: string
  /** Keys of the columns' texts. */
  columns: readonly string[]
  query: Query<{ list: readonly R[] }>
  kind: Kind<R>
  /** Whether the list is narrowed. */
  filtered?: boolean
  /** What stands there before the first entry. */
  none: ReactNode
  foot?: ReactNode
  /** The cells after the first, which is the name. */
  cells(row: R): readonly ReactNode[]
  /** More actions, before those that every entry has. */
  actions?(row: R): ReactNode
  onAsk(request: EntryRequest<R>): void
}

export function Ledger<R>({ label, columns, query, kind, filtered, none, foot, cells, actions, onAsk }: Props<R>) {
  const { t } = useTranslation('registry')
  const { idOf, nameOf } = kind
  return (
    <QueryView query={query} isEmpty={({ list }) => list.length === 0} filtered={filtered ?? false} empty={none}>
      {({ list }) => (
        <>
          <Table label={label} head={columns.map((column) => <th key={column}>{t(column)}</th>)}>
            {list.map((row) => (
              <tr key={idOf(row)}>
                <th scope="row">
                  <bdi>{nameOf(row)}</bdi>
                </th>
                {cells(row).map((cell, place) => (
                  <td key={columns[place + 1]}>{cell}</td>
                ))}
                <td data-actions>
                  {actions?.(row)}
                  <LineAction
                    icon={IconPencil}
                    label={t('edit')}
                    name={nameOf(row)}
                    onClick={() => onAsk({ edit: row })}
                  />
                  <LineAction
                    danger
                    icon={IconTrash}
                    label={t('delete')}
                    name={nameOf(row)}
                    onClick={() => onAsk({ remove: row })}
                  />
                </td>
              </tr>
            ))}
          </Table>
          {foot}
        </>
      )}
    </QueryView>
  )
}

interface SearchProps {
  text: string
  hint: string
  onSearch(text: string): void
  children: ReactNode
}

export const SearchBar = ({ children, ...search }: SearchProps) => (
  <search className={styles.bar}>
    <SearchForm className={styles.find} {...search} />
    <div className={styles.rest}>{children}</div>
  </search>
)

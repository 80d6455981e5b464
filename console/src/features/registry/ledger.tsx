/** A dense table of entries with their deeds at the end of each line. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Query, Shown } from '@/shared/ui/shown'
import { Table } from '@/shared/ui/table'
import { LineDeed } from '@/widgets/line-deed'
import { SearchForm } from '@/widgets/search-form'
import type { Asked, Kind } from './entry-dialogs'
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
  /** More deeds, before those that every entry has. */
  deeds?(row: R): ReactNode
  onAsk(asked: Asked<R>): void
}

export function Ledger<R>({ label, columns, query, kind, filtered, none, foot, cells, deeds, onAsk }: Props<R>) {
  const { t } = useTranslation('registry')
  const { idOf, nameOf } = kind
  return (
    <Shown query={query} isEmpty={({ list }) => list.length === 0} filtered={filtered ?? false} empty={none}>
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
                <td data-deeds>
                  {deeds?.(row)}
                  <LineDeed
                    icon={IconPencil}
                    label={t('edit')}
                    name={nameOf(row)}
                    onClick={() => onAsk({ edit: row })}
                  />
                  <LineDeed
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
    </Shown>
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

/** A dense table of entries with their deeds at the end of each line. */
import { IconPencil, IconSearch, IconTrash } from '@tabler/icons-react'
import { Button, Input } from 'antd'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Table } from '@/shared/ui/table'
import { LineDeed } from '@/widgets/line-deed'
import type { Asked, Kind } from './entry-dialogs'
import styles from './registry.module.css'

interface Props<R> {
  label: string
  /** Keys of the columns' texts. */
  columns: readonly string[]
  rows: readonly R[]
  kind: Kind<R>
  /** The cells after the first, which is the name. */
  cells(row: R): readonly ReactNode[]
  /** More deeds, before those that every entry has. */
  deeds?(row: R): ReactNode
  onAsk(asked: Asked<R>): void
}

export function Ledger<R>({ label, columns, rows, kind: { idOf, nameOf }, cells, deeds, onAsk }: Props<R>) {
  const { t } = useTranslation('registry')
  return (
    <Table label={label} head={columns.map((column) => <th key={column}>{t(column)}</th>)}>
      {rows.map((row) => (
        <tr key={idOf(row)}>
          <th scope="row">
            <bdi>{nameOf(row)}</bdi>
          </th>
          {cells(row).map((cell, place) => (
            <td key={columns[place + 1]}>{cell}</td>
          ))}
          <td data-deeds>
            {deeds?.(row)}
            <LineDeed icon={IconPencil} label={t('edit')} name={nameOf(row)} onClick={() => onAsk({ edit: row })} />
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
  )
}

export function SearchBar(props: { text: string; hint: string; onSearch(text: string): void; children?: ReactNode }) {
  const { t } = useTranslation('registry')
  const { text, hint, onSearch, children } = props
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  const search = (event: FormEvent) => {
    event.preventDefault()
    onSearch(typed.trim())
  }
  return (
    <search className={styles.bar}>
      <form className={styles.find} onSubmit={search}>
        <Input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder={hint}
          aria-label={hint}
          prefix={<IconSearch size={16} stroke={1.75} />}
          maxLength={100}
          allowClear
          onClear={() => onSearch('')}
        />
        <Button htmlType="submit">{t('search')}</Button>
      </form>
      <div className={styles.rest}>{children}</div>
    </search>
  )
}

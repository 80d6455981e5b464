/** The order of a list that has no headings to press: a press on a column sorts by it, a second one turns the order. */
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { Button } from '@/shared/controls/button'
import { Popover } from '@/shared/controls/popover'
import { useTranslation } from '@/shared/i18n/text'
import type { Column, Sort, Writing } from '../columns'
import styles from '../list.module.css'

interface Props<R> {
  columns: readonly Column<R>[]
  writing: Writing
  sort: Sort | undefined
  onTurn(key: string): void
  /** The columns that sort; without it all do. */
  orders?: readonly string[] | undefined
}

export function SortMenu<R>({ columns, writing, sort, onTurn, orders }: Props<R>) {
  const { t } = useTranslation('shell')
  const by = columns.find(({ key }) => key === sort?.key)
  const Arrow = sort?.descending ? IconArrowDown : IconArrowUp
  return (
    <Popover
      place="below-end"
      icon={<IconArrowsSort size={16} stroke={1.75} />}
      content={() => (
        <div className={styles.sheet}>
          <ul>
            {columns
              .filter(({ key, picture }) => !picture && orders?.includes(key) !== false)
              .map((column) => (
                <li key={column.key}>
                  <Button
                    size="small"
                    type={column === by ? 'primary' : 'text'}
                    aria-pressed={column === by}
                    onClick={() => onTurn(column.key)}
                  >
                    {writing.t(column.label)} {column === by && <Arrow size={14} stroke={2} aria-hidden="true" />}
                  </Button>
                </li>
              ))}
          </ul>
        </div>
      )}
    >
      {by ? t('sorted-by', { column: writing.t(by.label) }) : t('usual-order')}
    </Popover>
  )
}

/** Which columns a list shows. The one that names its rows always stands there. */
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Column, useColumns } from './columns'
import { Drop } from './drop'

interface Props<R> {
  name: string
  columns: readonly Column<R>[]
  label(column: Column<R>): string
}

export function ColumnMenu<R>({ name, columns, label }: Props<R>) {
  const { t } = useTranslation('shell')
  const { columns: visible, choose, reset } = useColumns(name, columns)
  const keys = visible.map(({ key }) => key)
  const turn = (key: string, on: boolean) =>
    choose(columns.flatMap((column) => ((column.key === key ? on : keys.includes(column.key)) ? [column.key] : [])))
  return (
    <Drop
      label={
        <>
          <IconColumns3 size={16} stroke={1.75} aria-hidden="true" />
          {t('columns')}
        </>
      }
    >
      {() => (
        <>
          <ul>
            {columns.map((column) => (
              <li key={column.key}>
                <label>
                  <input
                    type="checkbox"
                    checked={keys.includes(column.key)}
                    disabled={column.heading ?? false}
                    onChange={(event) => turn(column.key, event.target.checked)}
                  />
                  {label(column)}
                </label>
              </li>
            ))}
          </ul>
          <button type="button" onClick={reset}>
            {t('common:reset')}
          </button>
        </>
      )}
    </Drop>
  )
}

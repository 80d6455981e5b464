/** Which columns a list shows. The one that names its rows always stands there. */
import { IconColumns3 } from '@tabler/icons-react'
import { Button } from '@/shared/controls/button'
import { Popover } from '@/shared/controls/popover'
import { useTranslation } from '@/shared/i18n/text'
import { type Choosable, useColumns } from '../columns'
import styles from '../list.module.css'

interface Props<C extends Choosable> {
  /** Under which the choice is kept. */
  name: string
  columns: readonly C[]
  size?: 'small'
  label(column: C): string
}

export function ColumnMenu<C extends Choosable>({ name, columns, size, label }: Props<C>) {
  const { t } = useTranslation('shell')
  const { columns: visible, choose, reset } = useColumns(name, columns)
  const keys = visible.map(({ key }) => key)
  const turn = (key: string, on: boolean) =>
    choose(columns.flatMap((column) => ((column.key === key ? on : keys.includes(column.key)) ? [column.key] : [])))
  return (
    <Popover
      {...(size && { size })}
      place="below-end"
      icon={<IconColumns3 size={16} stroke={1.75} />}
      content={() => (
        <fieldset className={styles.sheet}>
          <legend className="unseen">{t('columns')}</legend>
          {columns.map((column) => (
            <label key={column.key}>
              <input
                type="checkbox"
                checked={keys.includes(column.key)}
                disabled={column.heading ?? false}
                onChange={(event) => turn(column.key, event.target.checked)}
              />
              {label(column)}
            </label>
          ))}
          <Button size="small" onClick={reset}>
            {t('common:reset')}
          </Button>
        </fieldset>
      )}
    >
      {t('columns')}
    </Popover>
  )
}

/** Which columns the table has: kept with the account's preferences. */
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Popover } from '@/shared/controls/popover'
import { setPreference } from '@/shared/theme/preferences'
import { CHOICE, COLUMNS, useColumns } from '../columns'
import styles from './toolbar.module.css'

export function ColumnChooser() {
  const { t } = useTranslation('device')
  const visible = useColumns().map(({ key }) => key)
  const choose = (key: string, on: boolean) =>
    setPreference(CHOICE, on ? [...visible, key] : visible.filter((other) => other !== key))
  return (
    <Popover
      size="small"
      place="below-end"
      icon={<IconColumns3 size={15} stroke={1.75} />}
      content={() => (
        <fieldset className={styles.chooser}>
          <legend className="unseen">{t('shell:columns')}</legend>
          {COLUMNS.map(({ key, word }) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={visible.includes(key)}
                onChange={({ target }) => choose(key, target.checked)}
              />
              {t(word)}
            </label>
          ))}
        </fieldset>
      )}
    >
      {t('shell:columns')}
    </Popover>
  )
}

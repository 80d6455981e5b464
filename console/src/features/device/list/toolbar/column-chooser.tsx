/** Which columns the table has: kept with the account's preferences. */
import { IconColumns3 } from '@tabler/icons-react'
import { Button, Checkbox, Popover } from 'antd'
import { useTranslation } from 'react-i18next'
import { setPreference } from '@/shared/theme/preferences'
import { CHOICE, COLUMNS, useColumns } from '../columns'
import styles from './toolbar.module.css'

export function ColumnChooser() {
  const { t } = useTranslation('device')
  const visible = useColumns().map(({ key }) => key)
  const list = (
    <Checkbox.Group
      className={styles.chooser ?? ''}
      value={visible}
      onChange={(chosen) => setPreference(CHOICE, chosen)}
      options={COLUMNS.map(({ key, word }) => ({ value: key, label: t(word) }))}
    />
  )
  return (
    <Popover trigger="click" placement="bottomRight" content={list}>
      <Button size="small" icon={<IconColumns3 size={15} stroke={1.75} />}>
        {t('shell:columns')}
      </Button>
    </Popover>
  )
}

/** Saves a list as a file: in the format that was chosen last, or in the other by the menu beside it. */
import { IconChevronDown, IconFileSpreadsheet } from '@tabler/icons-react'
import { Button } from '@/shared/controls/button'
import { MenuButton } from '@/shared/controls/menu'
import { useTranslation } from '@/shared/i18n/text'
import { setPreference, usePreference } from '@/shared/theme/preferences'
import styles from './export-button.module.css'
import { useSaving } from './save-button'

export type Form = 'xlsx' | 'csv'

const FORMS: Readonly<Record<Form, string>> = { xlsx: 'Excel', csv: 'CSV' } // names, the same in every language
const PREFERENCE = 'exportForm'

interface Props {
  /** Of the file, without its ending. */
  name: string
  disabled?: boolean
  fetch(form: Form): Promise<Blob>
}

export function ExportButton({ name, disabled = false, fetch }: Props) {
  const { t } = useTranslation('shell')
  const chosen = usePreference<Form>(PREFERENCE, 'xlsx')
  const [busy, save] = useSaving()
  const saveAs = (form: Form) => void save(`${name}.${form}`, () => fetch(form))
  const file = `${name}.${chosen}`
  return (
    <span className={styles.pair}>
      <Button
        icon={<IconFileSpreadsheet size={16} stroke={1.75} />}
        loading={busy}
        disabled={disabled}
        title={file}
        aria-label={`${t('common:export')} ${file}`}
        onClick={() => saveAs(chosen)}
      >
        {t('common:export')}
      </Button>
      <MenuButton
        className={styles.more}
        disabled={disabled || busy}
        title={t('file-format')}
        aria-label={t('file-format')}
        entries={() =>
          Object.entries(FORMS).map(([key, label]) => ({
            key,
            label,
            extra: <bdi dir="ltr">.{key}</bdi>,
            on: key === chosen,
          }))
        }
        onPick={(form) => {
          setPreference(PREFERENCE, form)
          saveAs(form as Form)
        }}
      >
        <IconChevronDown size={14} stroke={1.75} aria-hidden="true" />
      </MenuButton>
    </span>
  )
}

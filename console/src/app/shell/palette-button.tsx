/** Opens the palette for who does not know its keys, or has none. */
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { currentActions, isMac, PALETTE } from '@/widgets/actions/actions'
import styles from './header.module.css'

export function PaletteButton() {
  const { t } = useTranslation('shell')
  const open = () =>
    currentActions()
      .find(({ id }) => id === PALETTE)
      ?.run()
  const key = isMac() ? '⌘ K' : 'Ctrl K'
  return (
    <button
      type="button"
      className={styles.icon}
      aria-label={t('open-palette')}
      aria-keyshortcuts="Control+K Meta+K"
      title={`${t('open-palette')} (${key})`}
      onClick={open}
    >
      <IconSearch size={18} stroke={1.75} aria-hidden="true" />
    </button>
  )
}

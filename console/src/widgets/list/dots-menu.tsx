/** Three dots, and behind them what can be done with one thing; nothing is shown where nothing can be done. */
import { IconDots, type Icon as Mark } from '@tabler/icons-react'
import { MenuButton, type MenuItem } from '@/shared/controls/menu'
import { useTranslation } from '@/shared/i18n/text'
import styles from './dots-menu.module.css'

export interface DotsItem<Key extends string> {
  readonly key: Key
  readonly label: string
  readonly icon?: Mark
  readonly danger?: boolean
  /** Why not now; '' when it can be done. */
  readonly blocked?: string
}

interface Props<Key extends string> {
  /** Whose menu it is, for who does not see where it stands. */
  name: string
  items: readonly DotsItem<Key>[]
  /** Without a border, at the end of a line. */
  bare?: boolean
  onPick(key: Key): void
}

export function DotsMenu<Key extends string>({ name, items, bare = false, onPick }: Props<Key>) {
  const { t } = useTranslation()
  if (items.length === 0) return null
  return (
    <MenuButton
      className={styles.button}
      data-bare={bare || undefined}
      aria-label={`${t('more')}: ${name}`}
      entries={() => items.map(line)}
      onPick={(key) => onPick(key as Key)}
    >
      <IconDots size={16} stroke={1.75} aria-hidden="true" />
    </MenuButton>
  )
}

function line({ key, label, icon: Sign, danger = false, blocked }: DotsItem<string>): MenuItem {
  const content = blocked ? (
    <span className={styles.blocked}>
      {label} <small>{blocked}</small>
    </span>
  ) : (
    label
  )
  return { key, icon: Sign && <Sign size={16} stroke={1.75} />, label: content, danger, disabled: Boolean(blocked) }
}

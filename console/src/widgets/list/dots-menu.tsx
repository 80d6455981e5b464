/** Three dots, and behind them what can be done with one thing; nothing is shown where nothing can be done. */
import { IconDots, type Icon as Mark } from '@tabler/icons-react'
import { Button, Dropdown, type MenuProps } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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

/** The menu comes with the first click: lists have hundreds of these, and nobody opens more than one. */
export function DotsMenu<Key extends string>({ name, items, bare = false, onPick }: Props<Key>) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<boolean>()
  if (items.length === 0) return null
  const button = (
    <Button
      size="small"
      type={bare ? 'text' : 'default'}
      icon={<IconDots size={16} stroke={1.75} />}
      aria-label={`${t('more')}: ${name}`}
      aria-haspopup="menu"
      {...(open === undefined ? { onClick: () => setOpen(true) } : { autoFocus: true })}
    />
  )
  if (open === undefined) return button
  return (
    <Dropdown
      trigger={['click']}
      open={open}
      onOpenChange={setOpen}
      menu={{ items: items.map(line), onClick: ({ key }) => onPick(key as Key) }}
    >
      {button}
    </Dropdown>
  )
}

function line({ key, label, icon: Sign, danger = false, blocked }: DotsItem<string>) {
  const content = blocked ? (
    <span className={styles.blocked}>
      {label} <small>{blocked}</small>
    </span>
  ) : (
    label
  )
  const icon = Sign && <Sign size={16} stroke={1.75} />
  return { key, icon, label: content, danger, disabled: Boolean(blocked) } satisfies NonNullable<
    MenuProps['items']
  >[number]
}

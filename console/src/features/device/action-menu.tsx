/** What can be done with a robot beside steering it, behind three dots. */
import { IconDots } from '@tabler/icons-react'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Listed } from '@/widgets/robot'
import { useActions, useOnAction } from './use-actions'

/** The menu comes with the first click: walls have hundreds of these, and nobody opens more than one. */
export function ActionMenu({ row, bare }: { row: Listed; bare?: boolean }) {
  const { t } = useTranslation('device')
  const actions = useActions(row)
  const onAction = useOnAction()
  const [open, setOpen] = useState<boolean>()
  if (actions.length === 0) return null
  const button = (
    <Button
      size="small"
      type={bare ? 'text' : 'default'}
      icon={<IconDots size={16} stroke={1.75} />}
      aria-label={`${t('more')}: ${row.deviceCode}`}
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
      menu={{
        items: actions.map(({ key, word, icon: Mark, danger }) => ({
          key,
          label: t(word),
          icon: <Mark size={16} stroke={1.75} />,
          danger: danger ?? false,
        })),
        onClick: ({ key }) => {
          const action = actions.find((one) => one.key === key)
          if (action) onAction(action, row)
        },
      }}
    >
      {button}
    </Dropdown>
  )
}

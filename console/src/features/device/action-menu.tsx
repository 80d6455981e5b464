/** What can be done with a robot beside steering it, behind three dots. */
import { IconDots } from '@tabler/icons-react'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Listed } from '@/widgets/robot'
import { useActions, useOnAction } from './use-actions'

export function ActionMenu({ row, bare }: { row: Listed; bare?: boolean }) {
  const { t } = useTranslation('device')
  const actions = useActions(row)
  const onAction = useOnAction()
  if (actions.length === 0) return null
  return (
    <Dropdown
      trigger={['click']}
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
      <Button
        size="small"
        type={bare ? 'text' : 'default'}
        icon={<IconDots size={16} stroke={1.75} />}
        aria-label={`${t('more')}: ${row.deviceCode}`}
      />
    </Dropdown>
  )
}

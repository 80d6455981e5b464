/** What can be done with a robot beside steering it, behind three dots. */
import { useTranslation } from '@/shared/i18n/text'
import { DotsMenu } from '@/widgets/list/dots-menu'
import type { Listed } from '@/widgets/robot/robot'
import { useActions, useOnAction } from './use-actions'

export function ActionMenu({ row, bare = false }: { row: Listed; bare?: boolean }) {
  const { t } = useTranslation('device')
  const actions = useActions(row)
  const onAction = useOnAction()
  return (
    <DotsMenu
      name={row.deviceCode}
      bare={bare}
      items={actions.map((action) => ({ ...action, label: t(action.word) }))}
      onPick={(key) => {
        const action = actions.find((entry) => entry.key === key)
        if (action) onAction(action, row)
      }}
    />
  )
}

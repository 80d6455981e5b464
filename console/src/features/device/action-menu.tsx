/** What can be done with a robot, behind three dots: what it shall do now, then what is entered of it. */
import { IconBatteryCharging, IconDeviceGamepad2, IconPlayerPause } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { DotsMenu } from '@/widgets/list/dots-menu'
import { controlPath } from '@/widgets/paths'
import { type Listed, type Robot, useRobot } from '@/widgets/robot/robot'
import { useActions, useAllowed, useOnAction, useOnOrder } from './use-actions'

/** In these a robot works at something that can pause. */
const WORKING: ReadonlySet<Mode> = new Set(['cleaning', 'moving', 'riding'])

export function ActionMenu({ row, bare = false }: { row: Listed; bare?: boolean }) {
  const { t } = useTranslation('device')
  const actions = useActions(row)
  const onAction = useOnAction()
  const orders = useRobotOrders(useRobot(row))
  return (
    <DotsMenu
      name={row.deviceCode}
      bare={bare}
      items={[...orders, ...actions.map((action) => ({ ...action, label: t(action.word) }))]}
      onPick={(key) => {
        orders.find((order) => order.key === key)?.run()
        const action = actions.find((entry) => entry.key === key)
        if (action) onAction(action, row)
      }}
    />
  )
}

/** The commands that the robot takes now, and the way to its control page. */
function useRobotOrders(row: Robot) {
  const { t } = useTranslation('device')
  const allowed = useAllowed()
  const go = useNavigate()
  const { pause, sendHome } = useOnOrder()
  if (row.mode === 'offline') return []
  const control = allowed(VIEW) ? controlPath(row) : undefined
  const ids = [row.deviceId]
  return [
    ...(allowed(VIEW) && WORKING.has(row.mode)
      ? [{ key: 'pause', label: t('pause'), icon: IconPlayerPause, run: () => pause(ids) }]
      : []),
    ...(allowed(DRIVE) && row.mode !== 'charging'
      ? [{ key: 'home', label: t('common:return-to-charge'), icon: IconBatteryCharging, run: () => sendHome(ids) }]
      : []),
    ...(control
      ? [{ key: 'control', label: t('open-control'), icon: IconDeviceGamepad2, run: () => void go(control) }]
      : []),
  ]
}

export const VIEW = { needs: ['device_control/index'] }
export const DRIVE = { needs: ['device_control/index/drive'] }

/** Why a robot's map may not be edited now: a task runs on it (it can be stopped here), or a lift carries the robot. */
import { Alert, Button } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useRobotPart, useShow } from '@/shared/live/live'
import { relayCall } from '@/shared/relay/relay'
import { useAttempt } from '@/widgets/form/use-attempt'
import type { MapRow } from '../../row'

export type Block = 'task' | 'elevator' | undefined

export function useBlock(row: MapRow): Block {
  useShow({ robots: row.deviceId === null ? [] : [row.deviceId] })
  return useRobotPart(row.deviceId ?? undefined, ({ mode, liftName, mapName, run }): Block => {
    if (mode === 'riding' || liftName) return 'elevator' // all its maps rest: it is on its way between two
    return mapName !== row.name || run === '' ? undefined : 'task'
  })
}

export function BlockedBand({ block, deviceId }: { block: 'task' | 'elevator'; deviceId: number }) {
  const { t } = useTranslation('map')
  const { busy, problem, run } = useAttempt()
  return (
    <Alert
      type="warning"
      showIcon
      title={problem || t(block === 'task' ? 'map-edit-blocked-task' : 'map-edit-blocked-elevator')}
      action={
        block === 'task' && (
          <Button size="small" danger loading={busy} onClick={() => void run(() => relayCall(deviceId, 'task_cancel'))}>
            {t('stop-all-tasks')}
          </Button>
        )
      }
    />
  )
}

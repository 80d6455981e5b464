/** Why a robot's map may not be edited now: a task runs on it (it can be stopped here), or a lift carries the robot. */
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLive, useShow } from '@/shared/live/live'
import { relayCall } from '@/shared/relay/relay'
import { useRefusalText } from '@/widgets/refusal-text'
import type { MapRow } from '../row'

export type Block = 'task' | 'elevator' | undefined

export function useBlock(row: MapRow): Block {
  const id = row.deviceId ?? 0
  useShow({ robots: row.deviceId === null ? [] : [id] })
  return useLive((store): Block => {
    const seen = store.robot(id)?.row
    if (!seen || row.deviceId === null) return undefined
    if (seen.mode === 'riding' || seen.liftName) return 'elevator' // all its maps rest: it is on its way between two
    return seen.mapName !== row.name || seen.run === '' ? undefined : 'task'
  })
}

export function BlockedBand({ block, deviceId }: { block: 'task' | 'elevator'; deviceId: number }) {
  const { t } = useTranslation('map')
  const why = useRefusalText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const stop = async () => {
    setBusy(true)
    setProblem('')
    try {
      await relayCall(deviceId, 'task_cancel')
    } catch (error) {
      setProblem(why(error) ?? '')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Alert
      type="warning"
      showIcon
      title={problem || t(block === 'task' ? 'map-edit-blocked-task' : 'map-edit-blocked-elevator')}
      action={
        block === 'task' && (
          <Button size="small" danger loading={busy} onClick={stop}>
            {t('stop-all-tasks')}
          </Button>
        )
      }
    />
  )
}

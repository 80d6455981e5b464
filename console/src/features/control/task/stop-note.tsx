/** Why the robot stands: by a rule of its own, or who paused it or pressed its emergency stop, here or at the robot. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { faultKey } from '@/widgets/alarm/cause'
import type { ControlRow } from '../control-row'

export function StopNote({ deviceId, row }: { deviceId: number; row: ControlRow }) {
  const text = useNote(deviceId, row)
  return (
    text && (
      <Text as="span" size="small" tone={row.mode === 'emergency' ? 'help' : 'paused'}>
        {text}
      </Text>
    )
  )
}

function useNote(deviceId: number, row: ControlRow): string | undefined {
  const { t } = useTranslation('control')
  const { t: robot } = useTranslation('robot')
  const { time } = useFormats()
  const stopped = row.mode === 'emergency'
  const unexplained = stopped || (row.mode === 'paused' && !row.pausedBy)
  const { data } = useCall('/device/stopCause', { deviceId }, { enabled: unexplained })
  if (row.mode === 'paused' && row.pausedBy) {
    const cause = faultKey(row.pausedBy)
    return t('paused-because', { why: cause ? robot(cause) : row.pausedBy })
  }
  if (!unexplained || !data) return undefined
  if (data.name) return t(stopped ? 'stopped-by' : 'paused-by', { name: data.name, time: time(data.at) })
  return stopped ? t('stopped-at-robot') : undefined
}

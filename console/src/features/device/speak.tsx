/** Of a row of the list: let the robot say something. */
import { useTranslation } from '@/shared/i18n/text'
import { useRobot } from '@/widgets/robot/robot'
import { SpeakDialog } from '@/widgets/speech/speak-dialog'
import type { DialogProps } from './dialog-props'

export function Speak({ row, onClose }: DialogProps) {
  const { t } = useTranslation('robot')
  const { mode } = useRobot(row)
  const blocked = mode === 'offline' ? t('no-robot-unreachable') : ''
  return <SpeakDialog deviceId={row.deviceId} name={row.deviceCode} blocked={blocked} onClose={onClose} />
}

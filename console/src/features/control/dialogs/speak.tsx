/** Let the robot of the page say something. */
import { SpeakDialog } from '@/widgets/speech/speak-dialog'
import { useScope, useWay } from '../scope'

export function Speak({ onClose }: { onClose(): void }) {
  const { deviceId } = useScope()
  const { blocked } = useWay()('robot_speak')
  return <SpeakDialog deviceId={deviceId} blocked={blocked} onClose={onClose} />
}

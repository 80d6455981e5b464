/**
 * Leaves the emergency stop, in one press for whoever may. It moves the robot again, so it wants control: that is taken
 * with it where nobody has it.
 */
import type { ButtonProps } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { API1_SINCE } from '@/shared/relay/relay'
import styles from './release-stop.module.css'
import { CommandButton, useScope } from './scope'

export function ReleaseStop(props: Pick<ButtonProps, 'type' | 'size' | 'block'>) {
  const { t } = useTranslation('control')
  const { actions, protocol, inControl, takeControl } = useScope()
  const release = async () => {
    if (inControl || (await takeControl?.())) await actions.releaseStop()
  }
  return (
    <CommandButton
      {...props}
      className={styles.release ?? ''}
      label={t(inControl || !takeControl ? 'release-emergency-stop' : 'take-and-release')}
      command={protocol >= API1_SINCE ? 'emergency_off' : 'robot_safe'}
      locked={!takeControl}
      onClick={release}
    />
  )
}

/** Emergency stop: the only big red surface; needs no lock. Releasing moves the robot again, so that does. */
import { IconHandStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { API1_SINCE } from '@/shared/relay/relay'
import type { ControlRow } from './control-row'
import styles from './lock/lock.module.css'
import { CommandButton, useScope } from './scope'

export function StopButton({ row }: { row: ControlRow }) {
  const { t } = useTranslation('control')
  const { actions, protocol } = useScope()
  if (row.mode === 'emergency')
    return (
      <CommandButton
        command={protocol >= API1_SINCE ? 'emergency_off' : 'robot_safe'}
        locked
        size="large"
        block
        onClick={actions.releaseStop}
      >
        {t('release-emergency-stop')}
      </CommandButton>
    )
  return (
    <button type="button" className={styles.stop} onClick={actions.emergencyStop}>
      <IconHandStop size={20} stroke={2} aria-hidden="true" />
      {t('emergency-stop')}
    </button>
  )
}

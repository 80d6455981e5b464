/** Emergency stop: the only big red surface; needs no lock. Releasing moves the robot again, so that does. */
import { IconHandStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { LiveRow } from '@/shared/live/frames'
import { API1_SINCE } from '@/shared/relay/relay'
import styles from './lock.module.css'
import { DeedButton, useScope } from './scope'

export function StopButton({ row }: { row: LiveRow }) {
  const { t } = useTranslation('control')
  const { deeds, protocol } = useScope()
  if (row.mode === 'emergency')
    return (
      <DeedButton
        command={protocol >= API1_SINCE ? 'emergency_off' : 'robot_safe'}
        locked
        size="large"
        block
        onClick={deeds.releaseStop}
      >
        {t('release-emergency-stop')}
      </DeedButton>
    )
  return (
    <button type="button" className={styles.stop} onClick={deeds.emergencyStop}>
      <IconHandStop size={20} stroke={2} aria-hidden="true" />
      {t('emergency-stop')}
    </button>
  )
}

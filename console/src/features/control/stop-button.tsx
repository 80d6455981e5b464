/** Emergency stop: the only big red surface; needs no lock. Releasing moves the robot again, so that does. */
import { IconHandStop } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { API1_SINCE } from '@/shared/relay/relay'
import { useActions } from '@/widgets/actions/actions'
import type { ControlRow } from './control-row'
import styles from './lock/lock.module.css'
import { CommandButton, useScope } from './scope'

export function StopButton({ row }: { row: ControlRow }) {
  const { t } = useTranslation('control')
  const { actions, protocol } = useScope()
  const stopped = row.mode === 'emergency'
  useActions(
    stopped ? [] : [{ id: 'emergency-stop', label: t('emergency-stop'), run: () => void actions.emergencyStop() }],
  )
  if (stopped)
    return (
      <CommandButton
        label={t('release-emergency-stop')}
        command={protocol >= API1_SINCE ? 'emergency_off' : 'robot_safe'}
        locked
        size="large"
        block
        onClick={actions.releaseStop}
      />
    )
  return (
    <button type="button" className={styles.stop} onClick={actions.emergencyStop}>
      <IconHandStop size={20} stroke={2} aria-hidden="true" />
      {t('emergency-stop')}
    </button>
  )
}

/** Emergency stop: the only big red surface; needs no lock. Once pressed it is the way out again. */
import { IconHandStop } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { useActions } from '@/widgets/actions/actions'
import type { ControlRow } from './control-row'
import styles from './lock/lock.module.css'
import { ReleaseStop } from './release-stop'
import { useScope } from './scope'

export function StopButton({ row }: { row: ControlRow }) {
  const { t } = useTranslation('control')
  const { actions } = useScope()
  const stopped = row.mode === 'emergency'
  useActions(
    stopped ? [] : [{ id: 'emergency-stop', label: t('emergency-stop'), run: () => void actions.emergencyStop() }],
  )
  if (stopped) return <ReleaseStop size="large" block />
  return (
    <button type="button" className={styles.stop} onClick={actions.emergencyStop}>
      <IconHandStop size={20} stroke={2} aria-hidden="true" />
      {t('emergency-stop')}
    </button>
  )
}

/** Emergency stop: the only big red surface; needs no lock. Releasing moves the robot again, so that does. */
import { IconHandStop } from '@tabler/icons-react'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { LiveRow } from '@/shared/live/frames'
import styles from './control.module.css'
import type { Deeds } from './deeds'

export function StopButton({ row, mine, deeds }: { row: LiveRow; mine: boolean; deeds: Deeds }) {
  const { t } = useTranslation('control')
  if (row.mode === 'emergency')
    return (
      <Button size="large" block disabled={!mine} title={mine ? '' : t('needs-control')} onClick={deeds.releaseStop}>
        {t('release-emergency-stop')}
      </Button>
    )
  return (
    <button type="button" className={styles.stop} onClick={deeds.emergencyStop}>
      <IconHandStop size={20} stroke={2} aria-hidden="true" />
      {t('emergency-stop')}
    </button>
  )
}

/** How a run ended, as mark and word. */
import { useTranslation } from 'react-i18next'
import type { Mode } from '@/shared/live/frames'
import { StateMark } from '@/shared/marks/state-mark'
import { ENDS, type End } from './filters'
import styles from './report-table.module.css'

const MARK: Readonly<Record<End, Mode | 'done'>> = {
  finished: 'done',
  running: 'cleaning',
  cancelled: 'paused',
  interrupted: 'offline',
  failed: 'help',
}

export function EndTag({ end: name }: { end: string }) {
  const { t } = useTranslation('report')
  const end = ENDS.find((e) => e === name)
  if (!end) return name
  return (
    <span className={styles.end}>
      <StateMark state={MARK[end]} size={16} /> {t(end)}
    </span>
  )
}

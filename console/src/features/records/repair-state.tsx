/** Where a repair stands: a shape and a word. */
import { IconCircleCheck, IconCircleDashed, IconTool } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './records.module.css'

export const STATES = [0, 1, 2] as const
export type State = (typeof STATES)[number]

export const WORDS = ['repair-pending', 'repair-processing', 'repair-handled'] as const
const MARKS = [IconCircleDashed, IconTool, IconCircleCheck] as const

export function RepairState({ state }: { state: State }) {
  const { t } = useTranslation('records')
  const Mark = MARKS[state]
  return (
    <span className={styles.state} data-state={state}>
      <Mark size={15} stroke={1.75} aria-hidden />
      {t(WORDS[state])}
    </span>
  )
}

/** Whether a node is up, by what its relay says of itself: a shape, a word, and since when. */
import { IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import styles from './registry.module.css'

export type NodeRow = Answer<'/wmDeviceHostInfo/queryByPage'>['list'][number]

const MARKS = { up: IconCircleCheckFilled, down: IconCircleXFilled, unknown: IconCircleDashed } as const

export function NodeState({ row }: { row: Pick<NodeRow, 'state' | 'since'> }) {
  const { t } = useTranslation('registry')
  const { dateTime } = useFormats()
  const Mark = MARKS[row.state]
  return (
    <span className={styles.state} data-state={row.state}>
      <Mark size={15} aria-hidden="true" />
      {t(`node-${row.state}`, { since: row.since ? dateTime(row.since) : '' })}
    </span>
  )
}

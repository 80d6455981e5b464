/** How far a backup is, and below it how far a robot is that shall hold it: a shape and a word, and why not. */
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import { Why } from '@/widgets/why'
import type { BackupRow } from './rows'

/** Shape and word of each state. */
export const STATES = {
  packing: ['moving', 'common:packing'],
  uploading: ['moving', 'common:uploading'],
  finished: ['done', 'common:finished'],
  failed: ['warning', 'common:failed'],
  cancelled: ['offline', 'common:cancelled'],
} as const
const RESTORES = {
  sending: ['moving', 'restore-sending'],
  waiting: ['paused', 'restore-waiting'],
  restored: ['done', 'restore-done'],
  failed: ['warning', 'restore-failed'],
  cancelled: ['offline', 'restore-cancelled'],
} as const

export function BackupState({ row }: { row: BackupRow }) {
  const { t } = useTranslation('backup')
  const [shape, word] = STATES[row.status]
  const { restore } = row
  return (
    <Row stack gap="xs">
      <Row as="span" inline wrap gap="s" lines="xxs" align="center">
        <StateMark state={shape} size={15} />
        {t(word)}
        <Why reason={row.reason} />
        {row.status === 'uploading' && row.size > 0 && (
          <LaneProgress ratio={row.sent / row.size} label={row.fileName} width={120} />
        )}
      </Row>
      {restore && (
        <Row as="small" inline wrap gap="s" lines="xxs" align="center">
          <StateMark state={RESTORES[restore.state][0]} size={13} />
          {t(RESTORES[restore.state][1], { name: restore.deviceCode })}
          <Why reason={restore.reason} />
        </Row>
      )}
    </Row>
  )
}

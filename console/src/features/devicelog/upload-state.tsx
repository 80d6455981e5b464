/** How far a log is: a shape and a word, while it comes the part that has come, and why it failed. */
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { StateMark } from '@/shared/marks/state-mark'
import { Row, Text } from '@/shared/ui/layout'
import { refusalKey } from '@/widgets/refusal-text'
import type { LogRow } from './rows'

const STATES = {
  '': ['idle', 'devicelog:not-uploaded'],
  uploading: ['moving', 'common:uploading'],
  synchronised: ['done', 'common:synchronised'],
  failed: ['warning', 'common:failed'],
} as const

export const stateWord = ({ uploadState }: LogRow) => STATES[uploadState][1]

export function UploadState({ row }: { row: LogRow }) {
  const { t } = useTranslation('devicelog')
  const { t: robots } = useTranslation('robot')
  const [shape, word] = STATES[row.uploadState]
  const why = row.reason && refusalKey({ reason: row.reason, message: row.reason })
  const notes = [
    why && robots(why),
    row.recordingState === 'converting' && t('recording-converting'),
    row.recordingReason,
    row.stored && !row.onRobot && t('only-copy'),
    row.stored && row.uploadState !== 'synchronised' && t('earlier-copy'),
  ].filter(Boolean)
  return (
    <>
      <Row as="span" inline wrap gap="s" lines="none" align="center">
        <StateMark state={shape} size={15} />
        {t(word)}
        {row.uploadState === 'uploading' && <LaneProgress ratio={row.progress / 100} label={row.name} width={90} />}
      </Row>
      {notes.map((note) => (
        <Text key={String(note)} as="div" size="small" tone="soft">
          {note}
        </Text>
      ))}
    </>
  )
}

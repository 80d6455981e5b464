/** Where a repair stands: a shape and a word. */
import { IconCircleCheck, IconCircleDashed, IconTool } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'

export const STATES = [0, 1, 2] as const
export type State = (typeof STATES)[number]

export const WORDS = ['repair-pending', 'repair-processing', 'repair-handled'] as const
const TONES = ['help', 'paused', 'cleaning'] as const
const MARKS = [IconCircleDashed, IconTool, IconCircleCheck] as const

export function RepairState({ state }: { state: State }) {
  const { t } = useTranslation('records')
  const Mark = MARKS[state]
  return (
    <Row as="span" inline gap="xs" align="center" tone={TONES[state]}>
      <Mark size={15} stroke={1.75} aria-hidden />
      {t(WORDS[state])}
    </Row>
  )
}

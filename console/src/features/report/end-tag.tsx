/** How a run ended, as mark and word. */
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import { ENDS, type End } from './filters'

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
    <Row as="span" gap="s" align="center" size="small">
      <StateMark state={MARK[end]} size={16} /> {t(end)}
    </Row>
  )
}

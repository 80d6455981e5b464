/** While the demo's two weeks of history are being made: how far. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { Row } from '@/shared/ui/layout'

export function HistoryLine({ progress }: { progress: number }) {
  const { t } = useTranslation('status')
  const { percent } = useFormats()
  const text = t('history-progress', { progress: percent(progress) })
  return (
    <Row gap="panel" align="center" size="small" tone="quiet">
      <span>{text}</span>
      <LaneProgress ratio={progress} label={text} />
    </Row>
  )
}

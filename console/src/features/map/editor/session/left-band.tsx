/** A drawing that an earlier page load left here: taken up or discarded before anything new is drawn. */
import { Alert, Button, Space } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useAttempt } from '@/widgets/form/use-attempt'
import type { StoredDrawing } from './drawings'
import { discardLeft, resumeDrawing } from './open-maps'

export function LeftBand({ left: { mapId, savedAt } }: { left: StoredDrawing }) {
  const { t } = useTranslation('map')
  const { dateTime } = useFormats()
  const { busy, problem, run } = useAttempt()
  return (
    <Alert
      type="warning"
      showIcon
      title={problem || t('drawing-left', { time: dateTime(savedAt) })}
      action={
        <Space>
          <Button size="small" type="primary" loading={busy} onClick={() => void run(() => resumeDrawing(mapId))}>
            {t('continue-drawing')}
          </Button>
          <Button size="small" onClick={() => discardLeft(mapId)}>
            {t('discard-drawing')}
          </Button>
        </Space>
      }
    />
  )
}

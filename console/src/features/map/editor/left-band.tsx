/** A drawing that an earlier page load left here: taken up or discarded before anything new is drawn. */
import { Alert, Button, Space } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useRefusalText } from '@/widgets/refusal-text'
import type { StoredDrawing } from './drawings'
import { discardLeft, resumeDrawing } from './open-maps'

export function LeftBand({ left: { mapId, savedAt } }: { left: StoredDrawing }) {
  const { t } = useTranslation('map')
  const { dateTime } = useFormats()
  const refusalText = useRefusalText()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const resume = async () => {
    setBusy(true)
    try {
      await resumeDrawing(mapId)
    } catch (error) {
      setProblem(refusalText(error) ?? '')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Alert
      type="warning"
      showIcon
      title={problem || t('drawing-left', { time: dateTime(savedAt) })}
      action={
        <Space>
          <Button size="small" type="primary" loading={busy} onClick={resume}>
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

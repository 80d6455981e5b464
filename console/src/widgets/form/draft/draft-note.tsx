/** Above a form that begins with what somebody had typed before: since when, and a way back to what stands there. */
import { Button } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'

export function DraftNote({ savedAt, onDiscard }: { savedAt: number | undefined; onDiscard(): void }) {
  const { t } = useTranslation('shell')
  const { dateTime } = useFormats()
  if (savedAt === undefined) return null
  return (
    <Row gap="m" align="center" justify="between" below="m" role="status">
      <Text as="span" size="small" tone="soft">
        {t('draft-left', { time: dateTime(savedAt) })}
      </Text>
      <Button size="small" onClick={onDiscard}>
        {t('discard-draft')}
      </Button>
    </Row>
  )
}

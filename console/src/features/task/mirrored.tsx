/** Said above what comes from the server's mirror, because the robot does not answer: how old it is, and why nothing can be changed. */
import { IconCloudOff } from '@tabler/icons-react'
import { Button } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { useRefusalText } from '@/widgets/refusal-text'
import type { Read } from './robot-link'
import styles from './schedule/schedule.module.css'

export function Mirrored({ read }: { read: Read<unknown> }) {
  const { t } = useTranslation('task')
  const { dateTime } = useFormats()
  const why = useRefusalText()
  if (read.from === 'robot' || read.isPending) return null
  return (
    <Row as="p" wrap gap="m" align="center" className={styles.mirror} role="status">
      <IconCloudOff size={16} stroke={1.75} aria-hidden="true" />
      {read.error ? why(read.error) : t('robot-offline')}
      {' · '}
      {read.asOf ? t('as-of', { time: dateTime(read.asOf) }) : t('offline-read-only')}
      {read.error && (
        <Button size="small" onClick={() => void read.refetch()}>
          {t('retry')}
        </Button>
      )}
    </Row>
  )
}

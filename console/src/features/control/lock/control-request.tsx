/** Who asks its holder for control. It stands below the emergency stop, which it may not move from under a hand. */
import { IconHandClick } from '@tabler/icons-react'
import { Button } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import type { Lock } from './lock'
import styles from './lock.module.css'

export function ControlRequest({ lock }: { lock: Lock }) {
  const { t } = useTranslation('control')
  const { time } = useFormats()
  return (
    <Row as="p" wrap gap="m" justify="between" align="center" className={styles.request} role="status">
      <Row as="span" inline gap="m" align="center">
        <IconHandClick size={16} aria-hidden="true" />
        {t('asks-for-control', { name: lock.asker, time: time(lock.requestedAt) })}
      </Row>
      <Button size="small" type="primary" loading={lock.busy} onClick={lock.handOver}>
        {t('hand-over-to', { name: lock.asker })}
      </Button>
    </Row>
  )
}

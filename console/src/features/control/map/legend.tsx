/** What the map's drawings mean. */
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import styles from './map.module.css'

const KINDS = ['cleaned', 'planned', 'zone', 'wall', 'lidar'] as const

export function Legend() {
  const { t } = useTranslation('control')
  return (
    <Row as="ul" wrap gap="xl" lines="xs" size="small" tone="quiet" className={styles.legend} aria-label={t('legend')}>
      {KINDS.map((kind) => (
        <Row as="li" gap="m" align="center" key={kind}>
          <i data-kind={kind} aria-hidden="true" />
          {t(`legend-${kind}`)}
        </Row>
      ))}
    </Row>
  )
}

/** What an import would store, seen before it is stored: each floor, how much is drawn on it, and what is left out. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { FloorCanvas } from '@/widgets/map/floor-canvas'
import { usePlace } from '@/widgets/place'
import styles from '../map.module.css'
import type { Preview } from './use-previews'

const NOBODY: readonly number[] = []

export function ImportPreview({ preview }: { preview: Preview }) {
  const { t } = useTranslation('map')
  const { area, extent } = useFormats()
  const { floor } = usePlace()
  const { plan, document } = preview
  return (
    <Row as="article" stack surface className={styles.card} aria-label={plan.name}>
      <Row align="center" justify="center" className={styles.picture}>
        {document.grid ? (
          <FloorCanvas document={document} robots={NOBODY} furniture label={t('map-named', { name: plan.name })} />
        ) : (
          <Text size="small" tone="soft">
            {t('alarm-map-load')}
          </Text>
        )}
      </Row>
      <Row stack pad="s l">
        <Text strong cut>
          {plan.name}
          {plan.floor && ` · ${floor(plan.floor)}`}
        </Text>
        <Text as="span" size="small" tone="soft">
          {t('free-floor', { area: area(plan.area).text })} ·{' '}
          {extent(plan.width * plan.resolution, plan.height * plan.resolution, 1)} ·{' '}
          {t('elements-count', { count: document.marks.length })}
        </Text>
        {plan.laneGraph && (
          <Text as="span" size="small" tone="soft">
            {t('lanes-kept', { number: plan.laneGraph.lanes.length })}
          </Text>
        )}
        {plan.leftOut.map(({ kind, count }) => (
          <Text as="span" size="small" tone="help" key={kind}>
            {t(`left-out-${kind}`, { number: count })}
          </Text>
        ))}
        {plan.twin && (
          <Text as="span" size="small" tone="help">
            {t('twin', { name: plan.twin.name })}
          </Text>
        )}
      </Row>
    </Row>
  )
}

import { Row } from '@/shared/ui/layout'
import { useFormats } from '../i18n/format'
import styles from './battery.module.css'

const LOW = 15 // %

/** Battery with its figure; low is said by colour, figure and fill. */
export function Battery({ percent }: { percent: number }) {
  const formats = useFormats()
  return (
    <Row as="span" inline gap="m" align="center" className={styles.battery} data-low={percent < LOW || undefined}>
      <span className={styles.outline} aria-hidden="true">
        <i style={{ inlineSize: `${Math.min(Math.max(percent, 0), 100)}%` }} />
      </span>
      <bdi>{formats.percent(percent / 100)}</bdi>
    </Row>
  )
}

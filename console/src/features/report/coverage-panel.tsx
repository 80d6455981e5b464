/** How much of the reachable floor was cleaned, and where the rest is: missed or out of reach. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { coverageRatio, shares } from '@/widgets/report/figures'
import styles from './coverage-panel.module.css'
import type { Detail } from './picture'

const PARTS = ['cleaned', 'missed', 'unreachable'] as const
const HOW = { cleaned: 'cleaned-how', missed: 'missed-how', unreachable: 'unreachable-how' } as const

export function CoveragePanel({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const { percent, area } = useFormats()
  const { reachableArea } = report
  const known = reachableArea !== null
  const parts = shares({ ...report, reachableArea: reachableArea ?? report.cleanedArea })
  const visible = known ? PARTS : PARTS.slice(0, 1)
  return (
    <Panel className={styles.panel}>
      <Row gap="l" align="end" justify="between">
        <div>
          <Text size="small" tone="quiet">
            {t('of-reachable')}
          </Text>
          <Text size="number" strong>
            {known ? percent(coverageRatio(report.coverage), 1) : '…'}
          </Text>
        </div>
        <Text size="small" tone="quiet" style={{ textAlign: 'end' }}>
          {t('task-area', { area: area(report.workArea).text })}
          {known && (
            <>
              <br />
              {t('reachable-area', { area: area(reachableArea).text })}
            </>
          )}
        </Text>
      </Row>
      <div className={styles.bar} aria-hidden="true">
        {visible.map((part) => parts[part] > 0 && <i key={part} data-part={part} style={{ flexGrow: parts[part] }} />)}
      </div>
      <dl className={styles.legend}>
        {visible.map((part) => (
          <Row gap="m" align="start" pad="m xxs" size="control" key={part}>
            <i data-part={part} aria-hidden="true" />
            <Row as="dt" stack grow strong>
              {t(part)}
              <small>{t(HOW[part])}</small>
            </Row>
            <Text as="dd" strong>
              {area(parts[part]).text}
            </Text>
          </Row>
        ))}
      </dl>
    </Panel>
  )
}

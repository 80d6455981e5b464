/** How much of the reachable floor was cleaned, and what the rest is: missed, blocked or out of reach. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { coverageRatio, shares } from '@/widgets/report/figures'
import styles from './coverage-panel.module.css'
import type { Detail } from './detail'
import type { NotCleaned } from './left/not-cleaned'
import { type Neighbours, RunBefore } from './run/neighbours'

const PARTS = ['cleaned', 'missed', 'blocked', 'unreachable'] as const
const HOW = {
  cleaned: 'cleaned-how',
  missed: 'missed-how',
  blocked: 'blocked-how',
  unreachable: 'unreachable-how',
} as const
type Parts = Readonly<Record<(typeof PARTS)[number], number>>

/** As the robot reported it cell by cell; else what its sums say. */
function partsOf(report: Detail, left: NotCleaned | undefined): Parts {
  const sums = shares({ ...report, reachableArea: report.reachableArea ?? report.cleanedArea })
  if (!left) return { ...sums, blocked: 0 }
  const { missedArea: missed, blockedArea: blocked, unreachableArea: unreachable } = left
  return { cleaned: sums.cleaned, missed, blocked, unreachable }
}

interface Props {
  report: Detail
  left: NotCleaned | undefined
  neighbours: Neighbours | undefined
}

export function CoveragePanel({ report, left, neighbours }: Props) {
  const { t } = useTranslation('report')
  const { percent, area } = useFormats()
  const { reachableArea } = report
  const known = reachableArea !== null
  const parts = partsOf(report, left)
  const visible = PARTS.filter((part) => part === 'cleaned' || (known && (part !== 'blocked' || parts.blocked > 0)))
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
      <RunBefore of={neighbours} />
    </Panel>
  )
}

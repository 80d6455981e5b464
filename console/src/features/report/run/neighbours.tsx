/** The robot's runs next to one run, and what its task came to the time before. */
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { LinkButton } from '@/widgets/list/link-button'
import { reportPath } from '@/widgets/paths'
import { coverageRatio } from '@/widgets/report/figures'
import { toMs } from '@/widgets/time'
import type { Detail } from '../detail'

export type Neighbours = Answer<'/taskReport/neighbours'>

const MARK = { size: 16, stroke: 1.75, 'data-flip': true } as const

export const useNeighbours = ({ taskReportId }: Detail): Neighbours | undefined =>
  useCall('/taskReport/neighbours', { taskReportId }).data

export function NextRuns({ of }: { of: Neighbours | undefined }) {
  const { t } = useTranslation('report')
  const ways = [
    [of?.earlierId, t('earlier-run'), IconChevronLeft],
    [of?.laterId, t('later-run'), IconChevronRight],
  ] as const
  return ways.map(
    ([id, label, Mark]) =>
      id != null && (
        <LinkButton key={label} to={reportPath(id)} icon={<Mark {...MARK} />} aria-label={label} title={label} />
      ),
  )
}

/** "The time before: 24 Nov 2026, 21:14 · 98.9% · 31 m² · 4 min 40 s". */
export function RunBefore({ of }: { of: Neighbours | undefined }) {
  const { t } = useTranslation('report')
  const { dateTime, percent, area, duration } = useFormats()
  const before = of?.before
  if (!before) return null
  const { taskReportId, startTime, coverage, cleanedArea, seconds } = before
  return (
    <Row wrap gap="s" size="small" rule="above" pad="m panel">
      <Text as="span" tone="quiet">
        {t('run-before')}
      </Text>
      <Link to={reportPath(taskReportId)}>{dateTime(toMs(startTime) ?? 0)}</Link>
      <Text as="span">
        <bdi>{percent(coverageRatio(coverage), 1)}</bdi> · <bdi>{area(cleanedArea).text}</bdi> ·{' '}
        <bdi>{duration(seconds)}</bdi>
      </Text>
    </Row>
  )
}

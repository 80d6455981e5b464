/** The runs of the group or schedule that a run is part of, in the order in which they began; nothing of a task alone. */
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { toMs } from '@/widgets/time'
import type { Detail } from '../detail'
import { EndTag } from '../end-tag'

export function GroupPanel({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const { area, dateTime } = useFormats()
  const runs = useCall('/taskReport/listChildTask', { gid: report.gid }).data?.list ?? []
  if (runs.length < 2) return null
  return (
    <Panel title={t('group-runs')}>
      <Row as="ol" stack gap="m" size="small">
        {runs.map((run) => (
          <Row as="li" key={run.taskReportId} wrap gap="m" align="center">
            <Text as="span" grow strong={run.taskReportId === report.taskReportId}>
              <Link
                to={`/device/report/${run.taskReportId}`}
                aria-current={run.taskReportId === report.taskReportId ? 'page' : undefined}
              >
                <bdi>{run.taskName || run.mapName}</bdi>
              </Link>
            </Text>
            <Text as="span" tone="soft">
              {dateTime(toMs(run.startTime) ?? 0)} · {area(run.cleanedArea).text}
            </Text>
            <EndTag end={run.end} />
          </Row>
        ))}
      </Row>
    </Panel>
  )
}

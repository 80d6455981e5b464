/** What the last run came to, where none is under way; and the way to its report. */
import { useFormats } from '@/shared/i18n/format'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { LinkButton } from '@/widgets/list/link-button'
import { reportPath } from '@/widgets/paths'
import { coverageRatio } from '@/widgets/report/figures'
import { toMs } from '@/widgets/time'
import { useScope } from '../scope'

export function LastRun() {
  const { t } = useTranslation('control')
  const { percent, area, dateTime } = useFormats()
  const { deviceId } = useScope()
  const may = useMay('device/report')
  const query = { deviceIds: [deviceId], currentPage: 1, pageSize: 1 }
  const newest = useCall('/taskReport/list', query, { enabled: may })
  const run = newest.data?.list[0]
  if (!run || run.end === 'running') return null
  return (
    <Row wrap gap="l" lines="xs" align="center">
      <Text as="span" size="small" tone="soft">
        {t('last-run', { task: run.taskName, time: dateTime(toMs(run.endTime) ?? 0) })}
      </Text>
      <Text as="span" size="small">
        <b>{textOr(t, `report:${run.end}`, run.end)}</b> · {percent(coverageRatio(run.coverage), 1)} ·{' '}
        {area(run.cleanedArea).text}
      </Text>
      <LinkButton size="small" to={reportPath(run.taskReportId)}>
        {t('open-report')}
      </LinkButton>
    </Row>
  )
}

/** The robot's last runs, each with the way to its report. */
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { textOr, useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { LinkButton } from '@/widgets/list/link-button'
import { reportPath } from '@/widgets/paths'
import { coverageRatio } from '@/widgets/report/figures'
import { toMs } from '@/widgets/time'
import styles from './info.module.css'

const COUNT = 5

export function RunsPanel({ deviceId }: { deviceId: number }) {
  const { t } = useTranslation('fleet')
  const { dateTime, area, percent } = useFormats()
  const runs = useCall('/taskReport/list', { deviceIds: [deviceId], currentPage: 1, pageSize: COUNT })
  return (
    <Panel
      title={t('last-runs')}
      className={styles.panel}
      extra={
        <LinkButton size="small" to={`/device/report?deviceId=${deviceId}`}>
          {t('all-runs')}
        </LinkButton>
      }
    >
      <QueryView query={runs}>
        {({ list }) =>
          list.length === 0 ? (
            <Text size="small" tone="soft" above="m">
              {t('no-runs')}
            </Text>
          ) : (
            <Row as="ul" stack rule="between" size="control" above="m">
              {list.map((run) => (
                <Row as="li" stack pad="s xxs" key={run.taskReportId}>
                  <Link to={reportPath(run.taskReportId)}>
                    <bdi>{run.taskName || run.mapName}</bdi>
                  </Link>
                  <small>
                    <bdi>{dateTime(toMs(run.startTime) ?? 0)}</bdi> · <bdi>{area(run.cleanedArea).text}</bdi> ·{' '}
                    <bdi>{percent(coverageRatio(run.coverage))}</bdi> · {textOr(t, `report:${run.end}`, run.end)}
                  </small>
                </Row>
              ))}
            </Row>
          )
        }
      </QueryView>
    </Panel>
  )
}

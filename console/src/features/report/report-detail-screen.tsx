/** One run: the floor that it painted, how much of the reachable floor that is, and its figures. */
import { IconArrowLeft } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Boundary } from '@/shared/ui/boundary'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { useSubject } from '@/shared/ui/subject'
import { LinkButton } from '@/widgets/list/link-button'
import { usePlace } from '@/widgets/place'
import { SupportClosed } from '@/widgets/support-closed'
import { toMs } from '@/widgets/time'
import { AlarmsPanel } from './alarms-panel'
import { HandButtons, HandLine } from './by-hand'
import { CoveragePanel } from './coverage-panel'
import { EndTag } from './end-tag'
import { GroupPanel } from './group-panel'
import { type Detail, Picture, useReportFloor } from './picture'
import styles from './report-detail.module.css'
import { RunPanel } from './run-panel'

const LIST = '/device/report'

export function ReportDetailScreen() {
  const { t } = useTranslation('report')
  const id = Number(useParams().taskReportId)
  const valid = Number.isSafeInteger(id) && id > 0
  const report = useCall('/taskReport/detail', { taskReportId: id }, { enabled: valid })
  useSubject(report.data?.taskName)
  if (!valid) return <Nothing why={t('not-found')} action={<LinkButton to={LIST}>{t('to-list')}</LinkButton>} />
  return <QueryView query={report}>{(data) => <Whole report={data} />}</QueryView>
}

function Whole({ report }: { report: Detail }) {
  return (
    <Row stack gap="l" pad="panel xl" className={styles.page}>
      <Head report={report} />
      <div className={styles.columns}>
        <Panel className={styles.map}>
          <Boundary>
            <Floor report={report} />
          </Boundary>
        </Panel>
        <Row stack gap="l" className={styles.figures}>
          <CoveragePanel report={report} />
          <RunPanel report={report} />
          <GroupPanel report={report} />
          <AlarmsPanel report={report} />
        </Row>
      </div>
    </Row>
  )
}

function Head({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const { dateTime, time } = useFormats()
  const { floor } = usePlace()
  const start = toMs(report.startTime)
  const end = toMs(report.endTime)
  return (
    <Row as="header" gap="l" align="center" className={styles.head}>
      <LinkButton
        to={LIST}
        icon={<IconArrowLeft size={16} stroke={1.75} data-flip />}
        aria-label={t('to-list')}
        title={t('to-list')}
      />
      <Row stack grow>
        <Text as="h2" size="title">
          <bdi>{report.taskName || report.mapName}</bdi>
          {report.floor && (
            <>
              , <bdi>{floor(report.floor)}</bdi>
            </>
          )}
        </Text>
        <Text size="small" tone="soft">
          <bdi>{report.building}</bdi> · <bdi>{report.deviceCode}</bdi> (
          <bdi dir="ltr">{report.deviceSerialNumber}</bdi>)
          {start !== null && end !== null && <> · {t('start-to-end', { start: dateTime(start), end: time(end) })}</>}
          {report.factor > 1 && <> · {t('simulated', { factor: report.factor })}</>}
        </Text>
        <HandLine report={report} />
      </Row>
      <EndTag end={report.end} />
      <HandButtons report={report} />
    </Row>
  )
}

function Floor({ report }: { report: Detail }) {
  const { t } = useTranslation('report')
  const floor = useReportFloor(report)
  if (report.closed) return <SupportClosed ownerId={report.ownerUserId} />
  if (floor.missing) return <Nothing why={t('picture-missing')} />
  if (!floor.document) return null
  const label = t('cleaned-picture', { map: report.mapName })
  return <Picture report={report} floor={floor.document} label={label} className={styles.canvas} />
}

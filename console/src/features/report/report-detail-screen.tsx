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
import split from '@/shared/ui/split.module.css'
import { useSubject } from '@/shared/ui/subject'
import { LinkButton } from '@/widgets/list/link-button'
import { usePlace } from '@/widgets/place'
import { useClock } from '@/widgets/replay/clock'
import { Replay, ReplayLoading } from '@/widgets/replay/replay'
import { ChecksPanel } from '@/widgets/report/checks-panel'
import { SupportClosed } from '@/widgets/support-closed'
import { toMs } from '@/widgets/time'
import { AlarmsPanel } from './alarms-panel'
import { HandButtons, HandLine } from './by-hand'
import { CoveragePanel } from './coverage-panel'
import type { Detail } from './detail'
import { EndTag } from './end-tag'
import { LeftPanel } from './left/left-panel'
import { type NotCleaned, useNotCleaned } from './left/not-cleaned'
import { Picture, useReportFloor } from './picture'
import { ProofPanel } from './proof-panel'
import { GroupPanel } from './run/group-panel'
import { type Neighbours, NextRuns, useNeighbours } from './run/neighbours'
import { RunPanel } from './run/run-panel'

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
  const left = useNotCleaned(report)
  const neighbours = useNeighbours(report)
  return (
    <Row stack gap="l" pad="panel xl" className={split.page}>
      <Head report={report} neighbours={neighbours} />
      <div className={split.parts}>
        <Panel className={split.subject}>
          <Boundary>
            <Floor report={report} left={left} />
          </Boundary>
        </Panel>
        <Row stack gap="l" className={split.beside}>
          <CoveragePanel report={report} left={left} neighbours={neighbours} />
          <LeftPanel report={report} left={left} />
          <RunPanel report={report} />
          <ChecksPanel taskReportId={report.taskReportId} />
          <ProofPanel report={report} />
          <GroupPanel report={report} />
          <AlarmsPanel report={report} />
        </Row>
      </div>
    </Row>
  )
}

function Head({ report, neighbours }: { report: Detail; neighbours: Neighbours | undefined }) {
  const { t } = useTranslation('report')
  const { dateTime, time } = useFormats()
  const { place } = usePlace()
  const start = toMs(report.startTime)
  const end = toMs(report.endTime)
  return (
    <Row as="header" wrap gap="l" lines="m" align="center">
      <LinkButton
        to={LIST}
        icon={<IconArrowLeft size={16} stroke={1.75} data-flip />}
        aria-label={t('to-list')}
        title={t('to-list')}
      />
      <Row stack grow className={split.title}>
        <Text as="h2" size="title">
          <bdi>{place(report.taskName || report.mapName, report.floor)}</bdi>
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
      <NextRuns of={neighbours} />
      <HandButtons report={report} />
    </Row>
  )
}

function Floor({ report, left }: { report: Detail; left: NotCleaned | undefined }) {
  const { t } = useTranslation('report')
  const floor = useReportFloor(report)
  const { taskReportId, closed, end } = report
  const over = !closed && end !== 'running'
  const track = useCall('/taskReport/replay', { taskReportId }, { enabled: over }).data
  const length = Math.max(report.seconds * 1000, 1)
  const clock = useClock(length)
  if (report.closed) return <SupportClosed ownerId={report.ownerUserId} />
  if (floor.missing) return <Nothing why={t('picture-missing')} />
  const { document } = floor
  if (!document) return <ReplayLoading />
  const label = t('cleaned-picture', { map: report.mapName })
  return (
    <Replay
      {...{ track, clock, length }}
      start={toMs(report.startTime) ?? 0}
      floor={document}
      picture={(className) => (
        <Picture report={report} left={left} floor={document} label={label} className={className} />
      )}
    />
  )
}

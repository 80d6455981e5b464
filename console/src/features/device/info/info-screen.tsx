/** /device/info: one robot whole: how it is, where it stands, what it has worked, what it is made of, whose it was. */
import { IconArrowLeft } from '@tabler/icons-react'
import { Children, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useShow } from '@/shared/live/live'
import { useModeWord } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { Tag } from '@/shared/marks/tag'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Boundary } from '@/shared/ui/boundary'
import { Row, Text } from '@/shared/ui/layout'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { useSubject } from '@/shared/ui/subject'
import { LinkButton } from '@/widgets/list/link-button'
import { controlPath, mapsPath } from '@/widgets/paths'
import { type Listed, type Robot, useRobot } from '@/widgets/robot/robot'
import { ActionMenu } from '../action-menu'
import { NextRuns } from '../next-runs'
import { useReason } from '../reason'
import { Actions } from '../use-actions'
import { Connection } from './connection-panel'
import { FloorPanel } from './floor-panel'
import styles from './info.module.css'
import { Identity, Live, Place } from './info-panels'
import { Past } from './past-panel'
import { RunsPanel } from './runs-panel'
import { UpdaterPanel } from './updater-panel'
import { WearPanel } from './wear-panel'
import { WorkPanel } from './work-panel'

const LIST = '/device/index'

export function InfoScreen() {
  const { t } = useTranslation('fleet')
  const id = Number(useSearchParams()[0].get('deviceId'))
  const valid = Number.isSafeInteger(id) && id > 0
  const robot = useCall('/device/selectDeviceByDeviceId', { deviceId: id }, { enabled: valid })
  useShow({ robots: valid ? [id] : [] })
  useSubject(robot.data?.deviceCode)
  if (!valid) return <Nothing why={t('no-robot-chosen')} action={<LinkButton to={LIST}>{t('to-list')}</LinkButton>} />
  return (
    <Actions>
      <NextRuns ids={[id]}>
        <QueryView query={robot}>{(data) => <Whole listed={data} />}</QueryView>
      </NextRuns>
    </Actions>
  )
}

function Whole({ listed }: { listed: Listed }) {
  const row = useRobot(listed)
  const mayReports = useMay('device/report')
  const mayWear = useMay('device/index/consumables')
  const mayUpdate = useMay('version/soft')
  return (
    <Row stack gap="l" pad="panel xl" className={styles.page}>
      <Head row={row} listed={listed} />
      <div className={styles.panels}>
        <Column>
          <Live row={row} />
          <FloorPanel row={row} />
          {mayWear && <WearPanel serial={row.deviceSerialNumber} />}
        </Column>
        <Column>
          {mayReports && <RunsPanel deviceId={row.deviceId} />}
          <WorkPanel row={row} />
          <Place row={row} />
          <Past deviceId={row.deviceId} />
        </Column>
        <Column>
          <Identity row={row} />
          <Connection row={row} />
          {mayUpdate && <UpdaterPanel row={row} />}
        </Column>
      </div>
    </Row>
  )
}

/** Panels below each other, so that one that grows moves only those of its column; each fails by itself. */
const Column = ({ children }: { children: ReactNode }) => (
  <Row stack gap="l" className={styles.column}>
    {Children.map(children, (panel) => (
      <Boundary>{panel}</Boundary>
    ))}
  </Row>
)

function Head({ row, listed }: { row: Robot; listed: Listed }) {
  const { t } = useTranslation('device')
  const reason = useReason()
  const word = useModeWord()
  const mayControl = useMay('device_control/index')
  const mayMaps = useMay('device/maplist')
  const mayReports = useMay('device/report')
  const control = row.mode === 'offline' ? undefined : controlPath(row)
  return (
    <Row as="header" wrap gap="m" align="center">
      <LinkButton
        to={LIST}
        icon={<IconArrowLeft size={16} stroke={1.75} data-flip />}
        aria-label={t('fleet:to-list')}
        title={t('fleet:to-list')}
      />
      <StateMark state={row.mode} size={24} />
      <Row stack grow className={styles.head}>
        <Text as="h2" size="title">
          <bdi>{row.deviceCode}</bdi>
        </Text>
        <Text size="small" tone="soft">
          <bdi dir="ltr">{row.deviceSerialNumber}</bdi> · <bdi>{row.typeName}</bdi> · <bdi>{word(row)}</bdi> ·{' '}
          {reason(row)}
        </Text>
      </Row>
      {row.testDevice && <Tag>{t('asset:test-device')}</Tag>}
      {mayReports && <LinkButton to={`/device/report?deviceId=${row.deviceId}`}>{t('common:task-report')}</LinkButton>}
      {mayMaps && <LinkButton to={mapsPath(row.deviceId)}>{t('common:map-list')}</LinkButton>}
      {mayControl && control && (
        <LinkButton type="primary" to={control}>
          {t('robot:control')}
        </LinkButton>
      )}
      <ActionMenu row={listed} />
    </Row>
  )
}

/** /index/realWarn/:warnId: one alarm, what the robot did around it, and what to do. */
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useParams } from 'react-router'
import { readPalette } from '@/canvas/palette'
import { renderStill } from '@/canvas/tile'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import { raw } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { useMode } from '@/shared/theme/scheme'
import { Boundary } from '@/shared/ui/boundary'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import split from '@/shared/ui/split.module.css'
import { useSubject } from '@/shared/ui/subject'
import { LinkButton } from '@/widgets/list/link-button'
import { type Floor, useFrame } from '@/widgets/map/floor'
import { useClock } from '@/widgets/replay/clock'
import { Replay, ReplayLoading, TimeLine } from '@/widgets/replay/replay'
import type { Track } from '@/widgets/replay/track'
import { SupportClosed } from '@/widgets/support-closed'
import styles from '../alarm.module.css'
import { AlarmDetails } from '../alarm-details'
import { markOf, State } from '../alarm-marks'
import { ResolveDialog } from '../resolve-dialog'
import { type AlarmRow, RESOLVED } from '../rows'
import { TakeAction } from '../take-action'
import { AlarmRecordings } from './recordings'

const LIST = '/index/realWarn'

export function AlarmScreen() {
  const { t } = useTranslation('alarm')
  const warnId = Number(useParams().warnId)
  const valid = Number.isSafeInteger(warnId) && warnId > 0
  const alarm = useCall('/warn/list', { warnId, currentPage: 1, pageSize: 1 }, { enabled: valid })
  useSubject(alarm.data?.list[0]?.content)
  const missing = <Nothing why={t('alarm-missing')} action={<LinkButton to={LIST}>{t('to-live')}</LinkButton>} />
  if (!valid) return missing
  return <QueryView query={alarm}>{({ list: [row] }) => (row ? <Whole row={row} /> : missing)}</QueryView>
}

function Whole({ row }: { row: AlarmRow }) {
  const { t } = useTranslation('alarm')
  return (
    <Row stack gap="l" pad="panel xl" className={split.page}>
      <Head row={row} />
      <div className={split.parts}>
        <Panel className={split.subject}>
          <Boundary>
            <Around row={row} />
          </Boundary>
          <Boundary>
            <AlarmRecordings row={row} />
          </Boundary>
        </Panel>
        <Panel title={t('common:alarm')} extra={<State row={row} />} className={`${split.beside} ${styles.details}`}>
          <AlarmDetails row={row} />
        </Panel>
      </div>
    </Row>
  )
}

function Head({ row }: { row: AlarmRow }) {
  const { t } = useTranslation('alarm')
  const { exact } = useFormats()
  const mayResolve = useMay('warn/index/warn/resume')
  const [resolving, setResolving] = useState(false)
  return (
    <Row as="header" wrap gap="l" lines="m" align="center">
      <LinkButton
        to={LIST}
        icon={<IconArrowLeft size={16} stroke={1.75} data-flip />}
        aria-label={t('to-live')}
        title={t('to-live')}
      />
      <StateMark state={markOf(row)} size={24} />
      <Row stack grow className={split.title}>
        <Text as="h2" size="title">
          {row.content}
        </Text>
        <Text size="small" tone="soft">
          <bdi>{row.deviceCode}</bdi> (<bdi dir="ltr">{row.deviceSerialNumber}</bdi>)
          {row.building && (
            <>
              {' '}
              · <bdi>{row.building}</bdi>
            </>
          )}{' '}
          · {exact(Date.parse(row.time))}
        </Text>
      </Row>
      {mayResolve && row.state !== RESOLVED && (
        <>
          <TakeAction row={row} />
          <Button type="primary" onClick={() => setResolving(true)}>
            {t('common:resolve-alarm')}
          </Button>
        </>
      )}
      {resolving && <ResolveDialog row={row} all={false} onClose={() => setResolving(false)} />}
    </Row>
  )
}

function Around({ row }: { row: AlarmRow }) {
  const { t } = useTranslation('alarm')
  const { warnId } = row
  const replay = useCall('/warn/replay', { warnId })
  return (
    <>
      <Row pad="m panel">
        <Text size="small" tone="soft">
          {t('replay-how')}
        </Text>
      </Row>
      <QueryView query={replay} loading={<ReplayLoading />}>
        {(track) =>
          track.closed ? (
            <SupportClosed ownerId={track.ownerUserId} />
          ) : (
            <Stage
              key={warnId}
              row={row}
              track={track}
              map={track.map}
              start={Date.parse(track.startTime)}
              length={Date.parse(track.endTime) - Date.parse(track.startTime)}
            />
          )
        }
      </QueryView>
    </>
  )
}

interface StageProps {
  row: AlarmRow
  track: Track
  map: Parameters<typeof useFrame>[0]
  start: number
  length: number
}

/** It opens at the moment of the alarm. */
function Stage({ row, track, map, start, length }: StageProps) {
  const { t } = useTranslation('alarm')
  const { warnId } = row
  const floor = useFrame(map, !map, (signal) => raw('/warn/floor', { warnId }, signal))
  const clock = useClock(length, { at: Date.parse(row.time) - start, speed: 1 })
  const line = { track, clock, start, length }
  if (floor.missing)
    return (
      <>
        <Nothing why={t('no-floor')} />
        <TimeLine {...line} />
      </>
    )
  const { document } = floor
  if (!document) return <ReplayLoading />
  return (
    <Replay
      {...line}
      floor={document}
      picture={(className) => (
        <Picture row={row} floor={document} known={track.time.length > 0} className={className} />
      )}
    />
  )
}

interface PictureProps {
  row: AlarmRow
  floor: NonNullable<Floor['document']>
  /** Whether its way is drawn over the picture. */
  known: boolean
  className: string | undefined
}

/** The floor; where no way is stored, with the robot where the alarm has it. */
function Picture({ row, floor, known, className }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useMode()
  const { x, y, yaw, mapName } = row
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const robots = known || x === null || y === null ? [] : [{ x, y, yaw: yaw ?? 0, mode: 'help' as const, main: true }]
    const draw = () => renderStill(element, { document: floor, palette: readPalette(element), robots })
    draw()
    const resized = new ResizeObserver(draw)
    resized.observe(element)
    return () => resized.disconnect()
  }, [floor, known, x, y, yaw, theme])
  return <canvas ref={canvas} className={className} role="img" aria-label={mapName} />
}

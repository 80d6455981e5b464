/**
 * The floor under a recording: the robot's way and what its lidar saw, as the recording has them, beside alarms, halts and
 * people's commands of that time. Without a stored history the way of the recording stands alone.
 */
import { Select } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { readPalette } from '@/canvas/palette'
import { renderStill } from '@/canvas/tile'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { useMode } from '@/shared/theme/scheme'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { useFrame } from '@/widgets/map/floor'
import type { Clock } from '@/widgets/replay/clock'
import { Replay, TimeLine } from '@/widgets/replay/replay'
import type { Way } from '@/widgets/replay/track'
import { SupportClosed } from '@/widgets/support-closed'
import { poseTopics, scanTopic } from './messages/places'
import styles from './player.module.css'
import type { PlayerLink } from './player-link'
import type { Places } from './reader'
import { useReading } from './use-reading'

type Recording = Answer<'/deviceLog/openRecording'>
type History = Answer<'/deviceLog/replayRecording'>

const S_MS = 1000
const STEP_MS = 100
const NOTHING = { battery: [], liquid: [] }

const wayOf = ({ seconds, ...places }: Places, { modes }: History): Way => ({
  ...places,
  ...NOTHING,
  modes,
  time: seconds.map((second) => second * S_MS),
})

interface Props {
  link: PlayerLink
  recording: Recording
  clock: Clock
  /** As fine as messages are looked up. */
  second: number
  /** undefined: it is on its way, or cannot be had. */
  history: History | undefined
}

export function RecordingFloor({ history, ...props }: Props) {
  if (history?.closed) return <SupportClosed ownerId={history.ownerUserId} />
  return history?.map ? <Stage {...props} history={history} /> : <Missing known={history !== undefined} />
}

function Missing({ known }: { known: boolean }) {
  const { t } = useTranslation('devicelog')
  return known ? (
    <Text size="small" tone="soft">
      {t('floor-unknown')}
    </Text>
  ) : null
}

function Stage({ link, recording, clock, second, history }: Omit<Props, 'history'> & { history: History }) {
  const { t } = useTranslation('devicelog')
  const { id, topics, start, end } = recording
  const poses = useMemo(() => poseTopics(topics), [topics])
  const [name, setName] = useState(poses[0]?.name)
  const pose = poses.find((topic) => topic.name === name)
  const scan = scanTopic(topics)
  const places = useReading(link, id, 'places', pose && { topic: pose.name, type: pose.type })
  const echoes = useReading(link, id, 'scan', scan === undefined ? undefined : { topic: scan, second })
  const floor = useFrame(history.map, !history.map, (signal) => raw('/deviceLog/recordingFloor', { id }, signal))
  const way = useMemo(
    () => (places.data?.seconds.length ? wayOf(places.data, history) : undefined),
    [places.data, history],
  )
  const { document } = floor
  const line = {
    track: history,
    clock,
    start: Date.parse(start),
    length: Date.parse(end) - Date.parse(start),
    step: STEP_MS,
  }
  if (floor.missing)
    return (
      <>
        <Missing known />
        <TimeLine {...line} />
      </>
    )
  return (
    <Row stack gap="s">
      <Row gap="m" wrap align="center">
        {poses.length > 1 && (
          <Select
            className={styles.topic ?? ''}
            aria-label={t('pose')}
            value={name ?? null}
            options={poses.map((topic) => ({ value: topic.name, label: <bdi dir="ltr">{topic.name}</bdi> }))}
            onChange={(next: string) => setName(next)}
          />
        )}
        <Text size="small" tone="soft">
          {t('common:map')}: <bdi>{history.mapName}</bdi>. {!history.mapKnown && t('floor-guessed')} {t('floor-how')}
        </Text>
      </Row>
      <Problem text={places.isError ? t('messages-unreadable') : undefined} />
      {document && (
        <div className={styles.floor}>
          <Replay
            {...line}
            way={way}
            scan={echoes.data ?? undefined}
            floor={document}
            picture={(className) => <Picture floor={document} label={history.mapName} className={className} />}
          />
        </div>
      )}
    </Row>
  )
}

interface PictureProps {
  floor: MapDocument
  label: string
  className: string | undefined
}

function Picture({ floor, label, className }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useMode()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const draw = () => renderStill(element, { document: floor, palette: readPalette(element) })
    draw()
    const resized = new ResizeObserver(draw)
    resized.observe(element)
    return () => resized.disconnect()
  }, [floor, theme])
  return <canvas ref={canvas} className={className} role="img" aria-label={label} />
}

/** Whether the floor has a line of time of its own. */
export const hasLine = (history: History | undefined) => history?.map != null && history.time.length > 0

/** What a robot did, again on its floor: a time line with alarms, halts and commands, played, stopped, moved by hand. */

import {
  IconAlertTriangle,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStop,
  IconUser,
} from '@tabler/icons-react'
import { Button } from 'antd'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { echoes } from '@/canvas/live'
import { type Mode, readPalette } from '@/canvas/palette'
import { renderWay } from '@/canvas/tile'
import { Segment, Segments } from '@/shared/controls/segments'
import { FloorSkeleton } from '@/shared/controls/skeleton'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { isKeyOf } from '@/shared/keys'
import { MODE_WORD, useModeWord } from '@/shared/marks/mode'
import { useMode } from '@/shared/theme/scheme'
import { Row, Text } from '@/shared/ui/layout'
import { Loading } from '@/shared/ui/query-view'
import type { Floor } from '@/widgets/map/floor'
import { toMs } from '@/widgets/time'
import { type Clock, SPEEDS } from './clock'
import styles from './replay.module.css'
import { gather, type Mark, type Moment, momentAt, type Track, type Way, wayUntil } from './track'

const STEP_MS = 1000
const MARKS = { alarm: IconAlertTriangle, command: IconUser, halt: IconPlayerStop } as const
const KINDS = ['alarm', 'command', 'halt'] as const
const WORDS = { alarm: 'mark-alarm', command: 'mark-command', halt: 'mark-halt' } as const

/** What the lidar saw from where the robot is. */
interface Scan {
  readonly first: number
  readonly step: number
  readonly ranges: readonly number[]
}

interface Props {
  /** undefined: it is still on its way. */
  track: Track | undefined
  clock: Clock
  /** When it begins, and how long it is, ms. */
  start: number
  length: number
  /** How far it is moved at least, ms. */
  step?: number
}

interface StageProps extends Props {
  floor: NonNullable<Floor['document']>
  picture(className: string | undefined): ReactNode
  /** The way that is drawn, where that is another than the line's. */
  way?: Way | undefined
  scan?: Scan | undefined
}

/** The picture of the floor, the way over it, and the time line below. */
export function Replay({ floor, picture, way, scan, ...line }: StageProps) {
  const { clock } = line
  const track = way ?? line.track
  return (
    <>
      <div className={styles.map}>
        {picture(styles.canvas)}
        {track && <WayPicture track={track} clock={clock} floor={floor} scan={scan} />}
      </div>
      <TimeLine {...line} />
    </>
  )
}

/** The room of the picture until it comes. */
export const ReplayLoading = () => (
  <div className={styles.map}>
    <Loading shape={<FloorSkeleton />} />
  </div>
)

interface WayProps {
  track: Way
  scan: Scan | undefined
  clock: Clock
  floor: NonNullable<Floor['document']>
}

const listedMode = (mode: string | undefined): Mode => (mode && isKeyOf(MODE_WORD, mode) ? mode : 'idle')

/** Lies over the picture. */
function WayPicture({ track, clock, floor, scan }: WayProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useMode()
  const { at } = clock
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what the palette reads
  useEffect(() => {
    const element = canvas.current
    const moment = momentAt(track, at)
    if (!element || !moment) return
    const robot = { ...moment, mode: listedMode(moment.mode), main: true }
    const seen = scan && echoes({ ...moment, ...scan })
    const driven = wayUntil(track, moment)
    const draw = () =>
      renderWay(element, { document: floor, palette: readPalette(element), driven, robot, echoes: seen })
    draw()
    const resized = new ResizeObserver(draw)
    resized.observe(element)
    return () => resized.disconnect()
  }, [track, at, floor, scan, theme])
  return <canvas ref={canvas} className={styles.canvas} />
}

export function TimeLine({ track, clock, start, length, step = STEP_MS }: Props) {
  const { t } = useTranslation('replay')
  const { exact, number } = useFormats()
  const moment = track && momentAt(track, clock.at)
  const sentence = useSentence(moment)
  if (!track) return null
  if (!moment)
    return (
      <Row pad="m panel">
        <Text as="p" size="small" tone="soft">
          {t('no-history')}
        </Text>
      </Row>
    )
  const present = KINDS.filter((kind) => track.marks.some((mark) => mark.kind === kind))
  return (
    <section aria-label={t('replay')} className={styles.replay}>
      <Row gap="m" align="center" wrap>
        <Button
          type="primary"
          aria-label={t(clock.playing ? 'pause' : 'play')}
          title={t(clock.playing ? 'pause' : 'play')}
          icon={clock.playing ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} data-flip />}
          onClick={clock.toggle}
        />
        <Segments label={t('replay-speed')}>
          {SPEEDS.map((speed) => (
            <Segment key={speed} on={speed === clock.speed} onChoose={() => clock.setSpeed(speed)}>
              <bdi dir="ltr">{number(speed)}×</bdi>
            </Segment>
          ))}
        </Segments>
        <Text as="span" size="small" grow className={styles.now}>
          {exact(start + clock.at)} · {sentence}
        </Text>
        {present.map((kind) => (
          <Legend key={kind} kind={kind} />
        ))}
      </Row>
      <div className={styles.line}>
        <Marks {...{ track, clock, start, length }} />
        <input
          type="range"
          min={0}
          max={length}
          step={step}
          value={Math.round(clock.at)}
          aria-label={t('replay-time')}
          aria-valuetext={`${exact(start + clock.at)}, ${sentence}`}
          style={{ '--played': `${(clock.at / length) * 100}%` } as React.CSSProperties}
          onChange={(event) => clock.moveTo(Number(event.target.value))}
        />
      </div>
    </section>
  )
}

/** What it did, how fast, and what it had left. */
function useSentence(moment: Moment | undefined): string {
  const { t } = useTranslation('replay')
  const { percent, unit } = useFormats()
  const modeWord = useModeWord()
  if (!moment) return ''
  const { mode, speed, battery, liquid } = moment
  const parts = [
    mode && modeWord({ mode: listedMode(mode), modeName: mode in MODE_WORD ? '' : mode }),
    speed !== undefined && unit(speed, 'metre-per-second', 1),
    t('replay-battery', { battery: percent(battery / 100) }),
    liquid >= 0 && t('replay-liquid', { liquid: percent(liquid / 100) }),
  ]
  return parts.filter(Boolean).join(' · ')
}

function Legend({ kind }: { kind: (typeof KINDS)[number] }) {
  const { t } = useTranslation('replay')
  const Icon = MARKS[kind]
  return (
    <Text as="span" size="small" tone="soft" className={styles.legend}>
      <Icon size={14} data-kind={kind} aria-hidden="true" /> {t(WORDS[kind])}
    </Text>
  )
}

const APART_PX = 26 // of two marks, so that a finger finds each

/** The width of an element, px. */
function useWidth() {
  const [width, setWidth] = useState(0)
  const ref = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}

function Marks({ track, clock, start, length }: { track: Track; clock: Clock; start: number; length: number }) {
  const { t } = useTranslation('replay')
  const { exact, duration } = useFormats()
  const { ref, width } = useWidth()
  const atOf = ({ time }: Mark) => (toMs(time) ?? start) - start
  const placeOf = (mark: Mark) => Math.min(Math.max(atOf(mark) / length, 0), 1)
  const wordsOf = ({ kind, text, seconds }: Mark) =>
    kind === 'halt' ? t('halted-for', { time: duration(seconds) }) : `${t(WORDS[kind])}: ${text}`
  return (
    <ol className={styles.marks} ref={ref}>
      {gather(track.marks, placeOf, width ? APART_PX / width : 0).map((marks) => {
        const [first] = marks
        if (!first) return null
        const kind = KINDS.find((each) => marks.some((mark) => mark.kind === each)) ?? first.kind
        const Icon = MARKS[kind]
        const lines = marks.map((mark) => `${exact(start + atOf(mark))}, ${wordsOf(mark)}`)
        const label = (lines.length > 1 ? [`${lines.length}:`, ...lines] : lines).join('\n') // what is seen is in the name
        return (
          <li
            key={`${first.time}/${first.kind}/${first.text}`}
            style={{ insetInlineStart: `${placeOf(first) * 100}%` }}
          >
            <button
              type="button"
              data-kind={kind}
              aria-label={label}
              title={label}
              onClick={() => clock.moveTo(atOf(first))}
            >
              <Icon size={14} stroke={2} />
              {marks.length > 1 && <sup>{marks.length}</sup>}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** The lidar's ranges as they come, seen from the robot: straight ahead is up, one ring is a metre. */
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { CommandAnswer } from '@/shared/relay/contract'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { useMode } from '@/shared/theme/scheme'
import { QueryView } from '@/shared/ui/query-view'
import { useScope } from '../scope'
import styles from './dialogs.module.css'

const EVERY_MS = 1000
const LEAST_M = 2 // that are shown where everything is near
const DOT = 1.5 // px

type Raw = CommandAnswer<'radar_info_raw'>

export function Scan() {
  const { deviceId } = useScope()
  const raw = useRobotAnswer(deviceId, {
    key: ['radar_info_raw'],
    read: (signal) => relayCall(deviceId, 'radar_info_raw', {}, signal),
    everyMs: EVERY_MS,
  })
  return (
    <QueryView query={raw} isEmpty={({ ranges }) => ranges.length === 0}>
      {(scan) => <Picture scan={scan} />}
    </QueryView>
  )
}

function Picture({ scan }: { scan: Raw }) {
  const { t } = useTranslation('control')
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useMode()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the colours that are read
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (canvas.current && context) draw(canvas.current, context, scan)
  }, [scan, theme])
  const echoes = scan.ranges.filter((range) => range > 0).length
  return (
    <canvas
      ref={canvas}
      className={styles.scan}
      dir="ltr"
      role="img"
      aria-label={t('scan-label', { count: echoes, total: scan.ranges.length })}
    />
  )
}

function draw(canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, { ranges, ...scan }: Raw) {
  const sharp = devicePixelRatio
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = width * sharp
  canvas.height = height * sharp
  context.setTransform(sharp, 0, 0, sharp, width * sharp * 0.5, height * sharp * 0.5)
  const colours = getComputedStyle(canvas)
  const farthest = Math.max(LEAST_M, ...ranges)
  const metre = (Math.min(width, height) / 2 - DOT) / farthest
  context.strokeStyle = colours.getPropertyValue('--border')
  for (let ring = 1; ring <= farthest; ring++) {
    context.beginPath()
    context.arc(0, 0, ring * metre, 0, 2 * Math.PI)
    context.stroke()
  }
  context.fillStyle = colours.getPropertyValue('--m-lidar')
  for (const [i, range] of ranges.entries()) {
    if (range <= 0) continue
    const angle = scan.angle_min + i * scan.angle_increment
    context.beginPath()
    context.arc(-Math.sin(angle) * range * metre, -Math.cos(angle) * range * metre, DOT, 0, 2 * Math.PI)
    context.fill()
  }
}

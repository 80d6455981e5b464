/** Robots and the marks of their states: a silhouette per state, so that colour never speaks alone (LOOK 2). */
import type { Point } from '../geometry/geometry'
import type { Mode, Palette } from '../palette'
import type { Context } from './patterns'

interface Art {
  /** Filled silhouette, in a box of 24. */
  readonly body?: string
  /** Lines of the silhouette where it is not filled: width and dashes. */
  readonly ring?: { readonly path: string; readonly width: number; readonly dash?: readonly number[] }
  /** Knocked out of the body: lines of a width, and filled parts. */
  readonly lines?: { readonly path: string; readonly width: number }
  readonly parts?: string
  readonly dot?: string
}

const circle = (r: number) => `M${12 - r} 12a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
const DISC = circle(11)
const BARS = { path: 'M9.3 7.8v8.4M14.7 7.8v8.4', width: 2.6 }
const TRIANGLE: Art = {
  body: 'M10.3 2.2a2 2 0 0 1 3.4 0l9.2 17.4a2 2 0 0 1-1.8 3H2.9a2 2 0 0 1-1.8-3z',
  lines: { path: 'M12 8.6v6', width: 2.4 },
  parts: 'M10.5 18.4a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0 -3 0z',
}

const ART: Readonly<Record<Mode, Art>> = {
  cleaning: { body: DISC, lines: { path: 'M7 8h8.2a2 2 0 0 1 0 4H8.8a2 2 0 0 0 0 4H17', width: 2 } },
  moving: { body: DISC, lines: { path: 'M7 12h9M12.5 8l4 4-4 4', width: 2 } },
  riding: {
    body: 'M6.5 1h11a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4h-11a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4z',
    lines: { path: 'M8.2 10.5l3.8-4 3.8 4M8.2 14l3.8 4 3.8-4', width: 2 },
  },
  charging: {
    body: 'M7.5 1.5h9a6 6 0 0 1 6 6v9a6 6 0 0 1-6 6h-9a6 6 0 0 1-6-6v-9a6 6 0 0 1 6-6z',
    parts: 'M13 4.8L7.6 13h3.9l-.6 6.2L16.4 11h-4z',
  },
  idle: { ring: { path: circle(9.6), width: 2.6 }, dot: circle(2.6) },
  paused: { body: DISC, lines: BARS },
  emergency: { body: 'M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z', lines: BARS },
  help: TRIANGLE,
  manual: { body: 'M12 .6L23.4 12 12 23.4.6 12z', lines: { path: 'M12 8.2v7.6M8.2 12h7.6', width: 2.2 } },
  offline: { ring: { path: `${circle(9.8)}M7.5 16.5l9-9`, width: 2.2, dash: [3.4, 2.8] } },
}

const paths = new Map<string, Path2D>()

function path(d: string): Path2D {
  const known = paths.get(d)
  if (known) return known
  const path = new Path2D(d)
  paths.set(d, path)
  return path
}

/** The mark of a state, centred, `size` px wide. */
function paintState(context: Context, mode: Mode, at: Point, size: number, palette: Palette): void {
  const { body, ring, lines, parts, dot } = ART[mode]
  const colour = palette.state[mode]
  context.save()
  context.translate(at.x - size / 2, at.y - size / 2)
  context.scale(size / 24, size / 24)
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.fillStyle = colour
  if (body) context.fill(path(body))
  if (dot) context.fill(path(dot))
  if (ring) {
    context.strokeStyle = colour
    context.lineWidth = ring.width
    context.lineCap = ring.dash ? 'butt' : 'round'
    context.setLineDash([...(ring.dash ?? [])])
    context.stroke(path(ring.path))
    context.setLineDash([])
  }
  context.strokeStyle = palette.knock
  context.fillStyle = palette.knock
  if (lines) {
    context.lineWidth = lines.width
    context.stroke(path(lines.path))
  }
  if (parts) context.fill(path(parts))
  context.restore()
}

export interface RobotLook {
  readonly mode: Mode
  readonly yaw: number
  /** m */
  readonly uncertainty: number
  /** The robot that the page is about; others are smaller. */
  readonly main: boolean
  readonly alpha: number
}

const RADIUS = 9.5
const SMALL = 6.6 / RADIUS
/** Offline: nobody knows where it looks. Moving: its mark is an arrow already. */
const HEADLESS: ReadonlySet<Mode> = new Set(['offline', 'moving'])

const ARROW = 'M12.2 -4.8L18.5 0L12.2 4.8z'
const BRUSH = 'M3.2 -6.3A7.0 7.0 0 0 1 3.2 6.3'
const EYE = 'M-4.4 0a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0 -4.6 0z'

function disc(context: Context, radius: number, colour: string): void {
  context.fillStyle = colour
  context.beginPath()
  context.arc(0, 0, radius, 0, 2 * Math.PI)
  context.fill()
}

/** A robot at a point of the screen: halo as wide as its position is uncertain, heading, and the silhouette of its state. */
export function paintRobot(context: Context, at: Point, robot: RobotLook, scale: number, palette: Palette): void {
  const { mode, yaw, main, uncertainty } = robot
  const size = main ? 1 : SMALL
  const colour = palette.state[mode]
  context.save()
  context.globalAlpha = robot.alpha
  context.translate(at.x, at.y)
  const needy = mode === 'help' || mode === 'emergency'
  if (main || needy) {
    context.globalAlpha = robot.alpha * 0.14
    disc(context, Math.max(uncertainty * scale, main ? 18 : 14), colour)
    context.globalAlpha = robot.alpha
  }
  context.save()
  context.rotate(-yaw)
  context.scale(size, size)
  context.fillStyle = colour
  if (!HEADLESS.has(mode)) context.fill(path(ARROW))
  if (mode === 'cleaning') {
    disc(context, RADIUS + 0.85, palette.floor)
    disc(context, RADIUS - 0.85, colour)
    context.strokeStyle = palette.knock
    context.fillStyle = palette.knock
    context.lineWidth = 1.9
    context.lineCap = 'round'
    context.stroke(path(BRUSH))
    context.fill(path(EYE))
  }
  context.restore()
  if (mode !== 'cleaning') {
    disc(context, (RADIUS + 1.5) * size, palette.floor)
    if (mode === 'moving') context.rotate(-yaw) // its arrow is the heading
    paintState(context, mode, { x: 0, y: 0 }, 2 * RADIUS * size, palette)
  }
  context.restore()
}

/** Hatches of LOOK 5. They stand still on the screen while the map zooms, so they are made once per theme. */
import type { Palette } from '../palette'

export type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

export interface Patterns {
  readonly zone: CanvasPattern
  readonly missed: CanvasPattern
  readonly blocked: CanvasPattern
  readonly unreachable: CanvasPattern
}

const SHARP = 2 // hatches are drawn at twice their size and shown at half, for screens with small px

function tile(
  side: number,
  degrees: number,
  draw: (context: OffscreenCanvasRenderingContext2D) => void,
): CanvasPattern {
  const canvas = new OffscreenCanvas(side * SHARP, side * SHARP)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2d context')
  context.scale(SHARP, SHARP)
  draw(context)
  const pattern = context.createPattern(canvas, 'repeat')
  if (!pattern) throw new Error('no pattern')
  pattern.setTransform(new DOMMatrix().rotate(degrees).scale(1 / SHARP))
  return pattern
}

function stripe(side: number, ground: string, line: string, width: number, alpha = 1): CanvasPattern {
  return tile(side, 45, (context) => {
    context.fillStyle = ground
    context.fillRect(0, 0, side, side)
    context.globalAlpha = alpha
    context.fillStyle = line
    context.fillRect((side - width) / 2, 0, width, side)
  })
}

const cache = new WeakMap<Palette, Patterns>()

export function patternsOf(palette: Palette): Patterns {
  const known = cache.get(palette)
  if (known) return known
  const patterns: Patterns = {
    zone: stripe(9, palette.zoneTint, palette.zone, 1, 0.55),
    missed: stripe(6, palette.missTint, palette.miss, 2.2),
    blocked: tile(6, 0, (context) => {
      context.fillStyle = palette.blockTint
      context.fillRect(0, 0, 6, 6)
      context.strokeStyle = palette.block
      context.lineWidth = 1.1
      for (const x of [-6, 0, 6]) {
        context.moveTo(x - 1, -1)
        context.lineTo(x + 7, 7)
        context.moveTo(x + 7, -1)
        context.lineTo(x - 1, 7)
      }
      context.stroke()
    }),
    unreachable: tile(5, 0, (context) => {
      context.fillStyle = palette.unreachableTint
      context.fillRect(0, 0, 5, 5)
      context.fillStyle = palette.unreachable
      context.arc(2.5, 2.5, 1, 0, 2 * Math.PI)
      context.fill()
    }),
  }
  cache.set(palette, patterns)
  return patterns
}

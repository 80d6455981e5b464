/** Pointer, wheel, pinch and keys of a canvas, given as what they mean in px of the view. Knows nothing of maps. */
import type { Point } from './geometry/geometry'

export interface Gestures {
  /** False: nobody wants the press, so the drag pans. */
  press(at: Point, more: boolean): boolean
  drag(at: Point): void
  release(at: Point): void
  /** A press by accident, and that moved nothing before it was let go. */
  tap(at: Point): void
  hover(at: Point | undefined): void
  /** A press that asks what can be done here. */
  menu(at: Point): void
  pan(dx: number, dy: number): void
  zoom(at: Point, factor: number): void
  finish(): void
  cancel(): void
  key(event: KeyboardEvent): boolean
}

const WHEEL = 0.0016 // a notch of 100 px zooms by 17 %
const MIDDLE_BUTTON = 1
const STILL = 5 // px, within which a press is none that drags

/** Listens until the answer is called. */
export function listen(target: HTMLElement, gestures: Gestures): () => void {
  const down = new Map<number, Point>()
  let mode: 'none' | 'tool' | 'pan' | 'pinch' = 'none'
  let pressed: Point | undefined // where a press began that is still a tap
  const stop = new AbortController()
  const { signal } = stop

  const place = (event: MouseEvent): Point => {
    const box = target.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const spread = () => {
    const [a, b] = [...down.values()]
    if (!a || !b) return undefined
    return { at: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, length: Math.hypot(a.x - b.x, a.y - b.y) }
  }

  target.addEventListener(
    'pointerdown',
    (event) => {
      const at = place(event)
      down.set(event.pointerId, at)
      target.setPointerCapture(event.pointerId)
      if (down.size === 2) {
        if (mode === 'tool') gestures.cancel()
        mode = 'pinch'
        pressed = undefined
      } else if (event.button === MIDDLE_BUTTON) mode = 'pan'
      else if (event.button === 0) {
        mode = gestures.press(at, event.shiftKey) ? 'tool' : 'pan'
        pressed = mode === 'pan' ? at : undefined
      }
    },
    { signal },
  )
  target.addEventListener(
    'pointermove',
    (event) => {
      const at = place(event)
      const before = down.get(event.pointerId)
      const pinch = mode === 'pinch' ? spread() : undefined
      if (before) down.set(event.pointerId, at)
      gestures.hover(at)
      if (pressed && Math.hypot(at.x - pressed.x, at.y - pressed.y) > STILL) pressed = undefined
      if (mode === 'pan' && before) gestures.pan(at.x - before.x, at.y - before.y)
      else if (pinch) {
        const now = spread()
        if (!now) return
        gestures.pan(now.at.x - pinch.at.x, now.at.y - pinch.at.y)
        gestures.zoom(now.at, now.length / Math.max(pinch.length, 1))
      } else if (mode === 'tool' || mode === 'none') gestures.drag(at)
    },
    { signal },
  )
  const end = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return
    if (mode === 'tool') {
      if (event.type === 'pointerup') gestures.release(place(event))
      else gestures.cancel()
    }
    if (pressed && event.type === 'pointerup') gestures.tap(pressed)
    pressed = undefined
    if (down.size === 0) mode = 'none'
  }
  target.addEventListener('pointerup', end, { signal })
  target.addEventListener('pointercancel', end, { signal })
  target.addEventListener('pointerleave', () => gestures.hover(undefined), { signal })
  target.addEventListener('contextmenu', (event) => gestures.menu(place(event)), { signal })
  target.addEventListener('dblclick', () => gestures.finish(), { signal })
  target.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
      gestures.zoom(place(event), Math.exp(-event.deltaY * lines * WHEEL))
    },
    { signal, passive: false },
  )
  target.addEventListener(
    'keydown',
    (event) => {
      if (gestures.key(event)) {
        event.preventDefault()
        event.stopPropagation()
      }
    },
    { signal },
  )
  return () => stop.abort()
}

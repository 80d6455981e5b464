/** What a person holds: keys and the game pad. Each tells the driver a stick, and lets go as soon as it is not held. */
import type { Driver, Stick } from './driver'

const WAYS: Readonly<Record<string, Stick>> = {
  KeyW: { x: 0, y: 1 },
  KeyS: { x: 0, y: -1 },
  KeyA: { x: -1, y: 0 },
  KeyD: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
}
const ELSEWHERE = 'input, textarea, select, [role="dialog"], [role="slider"], [role="menu"], [contenteditable]'
const DEAD_ZONE = 0.15 // of a pad's stick that nobody touches

type Hands = Pick<Driver, 'hold' | 'letGo'>

/** Keys by their place, so that WASD is where it is on every keyboard. Answers how to stop listening. */
export function listenKeys(driver: Hands, target: Window = window): () => void {
  const down = new Set<string>()
  const stop = new AbortController()
  const tell = () => {
    const sum = [...down].reduce((at, code) => ({ x: at.x + (WAYS[code]?.x ?? 0), y: at.y + (WAYS[code]?.y ?? 0) }), {
      x: 0,
      y: 0,
    })
    if (sum.x === 0 && sum.y === 0) driver.letGo('keys')
    else driver.hold('keys', sum)
  }
  target.addEventListener(
    'keydown',
    (event) => {
      if (!WAYS[event.code] || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return
      event.preventDefault()
      if (event.repeat || down.has(event.code)) return
      down.add(event.code)
      tell()
    },
    { signal: stop.signal },
  )
  target.addEventListener('keyup', (event) => down.delete(event.code) && tell(), { signal: stop.signal })
  target.addEventListener('blur', () => down.clear(), { signal: stop.signal })
  return () => {
    stop.abort()
    driver.letGo('keys')
  }
}

/** The stick of the first pad that has one. */
export function padStick(pads: readonly (Pick<Gamepad, 'axes' | 'connected'> | null)[]): Stick | undefined {
  const pad = pads.find((gamepad) => gamepad?.connected && gamepad.axes.length >= 2)
  const [x = 0, y = 0] = pad?.axes ?? []
  return Math.hypot(x, y) < DEAD_ZONE ? undefined : { x, y: -y }
}

/** Looks at the pads with each frame: they tell nothing by themselves. */
export function listenPads(driver: Hands): () => void {
  if (!('getGamepads' in navigator)) return () => {}
  let frame = 0
  const look = () => {
    const stick = padStick(navigator.getGamepads())
    if (stick) driver.hold('pad', stick)
    else driver.letGo('pad')
    frame = requestAnimationFrame(look)
  }
  frame = requestAnimationFrame(look)
  return () => {
    cancelAnimationFrame(frame)
    driver.letGo('pad')
  }
}

/** Which part of the world the wall's map shows, and which sites of it get their words. Lengths in thousandths of the
 * width of the world (Web Mercator). */
import { mercator } from '@/widgets/world/outline'

interface Site {
  readonly site: string
  readonly latitude: number
  readonly longitude: number
  readonly devices: number
  readonly needy: number
  readonly cleaned: number
}

export interface Spot {
  readonly x: number
  readonly y: number
  readonly name: string
  /** How many sites stand together here. */
  readonly sites: number
  readonly devices: number
  readonly needy: number
  readonly cleaned: number
  /** Which end of its words stands at the mark, and how many px lower they stand; undefined: there is no room. */
  readonly words: { readonly side: 'start' | 'end'; readonly shift: number } | undefined
}

interface Window {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const THOUSAND = 1000
/** px of the look: the tile, and what the words of a site take. */
export const WIDTH = 590
const HEIGHT = 300
const LABEL = { width: 150, height: 40 } as const
const SHIFTS = [0, -36, 36] // px, of words that would lie on others
const TOGETHER_PX = 14
const MARGIN = 0.28 // of the span of the sites, on each side
const SMALLEST = 40 // so that a single site stands in its part of the world
const WHOLE_WORLD = { x: 0, y: 250, width: THOUSAND, height: (THOUSAND * HEIGHT) / WIDTH }

const placed = ({ longitude, latitude }: Site) => mercator(longitude, latitude).map((part) => part * THOUSAND)

export function windowOf(sites: readonly Site[]): Window {
  if (sites.length === 0) return WHOLE_WORLD
  const points = sites.map(placed)
  const [xs, ys] = [points.map(([x = 0]) => x), points.map(([, y = 0]) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const span = Math.max(right - left, ((bottom - top) * WIDTH) / HEIGHT, SMALLEST)
  const width = Math.min(THOUSAND, span * (1 + 2 * MARGIN))
  const height = (width * HEIGHT) / WIDTH
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height }
}

/** The largest sites first; who stands where one stands already joins it, and words that would lie on others are left out. */
export function placeSites(sites: readonly Site[], view: Window): Spot[] {
  const unit = view.width / WIDTH
  const spots: Spot[] = []
  for (const site of [...sites].sort((a, b) => b.devices - a.devices || a.site.localeCompare(b.site))) {
    const [x = 0, y = 0] = placed(site)
    const near = spots.findIndex((spot) => Math.hypot(spot.x - x, spot.y - y) < TOGETHER_PX * unit)
    const here = spots[near]
    const { site: name, devices, needy, cleaned } = site
    if (here)
      spots[near] = {
        ...here,
        sites: here.sites + 1,
        devices: here.devices + devices,
        needy: here.needy + needy,
        cleaned: here.cleaned + cleaned,
      }
    else spots.push({ x, y, name, sites: 1, devices, needy, cleaned, words: undefined })
  }
  const taken: { left: number; right: number; top: number; bottom: number }[] = []
  return spots.map((spot) => {
    const [x, y] = [(spot.x - view.x) / unit, (spot.y - view.y) / unit]
    const sides = x > WIDTH / 2 ? (['end', 'start'] as const) : (['start', 'end'] as const)
    const places = SHIFTS.flatMap((shift) => sides.map((side) => ({ side, shift })))
    const words = places.find(({ side, shift }) => {
      const left = side === 'start' ? x : x - LABEL.width
      const top = y + shift - LABEL.height / 2
      const box = { left, right: left + LABEL.width, top, bottom: top + LABEL.height }
      if (box.left < 0 || box.right > WIDTH || box.top < 0 || box.bottom > HEIGHT) return false
      const free = taken.every(
        (other) =>
          box.right <= other.left || box.left >= other.right || box.bottom <= other.top || box.top >= other.bottom,
      )
      if (free) taken.push(box)
      return free
    })
    return { ...spot, words }
  })
}

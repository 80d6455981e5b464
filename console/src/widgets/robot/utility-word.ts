/** What a robot can switch beside its wheels, in words: brushes, fan, pump, lamps. */
import { isKeyOf } from '@/shared/keys'

const NAMES = {
  roller_brush: 'roller-brush',
  side_brush: 'side-brush',
  fan: 'utility-fan',
  pump: 'utility-pump',
  mist: 'utility-mist',
  uv_lamp: 'utility-uv-lamp',
  light: 'utility-light',
  volume: 'utility-volume',
} as const

/** The text's key, or undefined for one of the maker's own. */
export const utilityWord = (id: string) => (isKeyOf(NAMES, id) ? NAMES[id] : undefined)

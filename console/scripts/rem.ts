/**
 * The sheets say lengths in the px of the look, at letters of a usual size; the browser gets rem, so that all of them follow
 * the browser's own size of letters and that of the interface. Widths of screens become em, which follow the browser alone.
 */
import type { Plugin } from 'vite'
import { USUAL_LETTERS } from '../src/shared/theme/tokens.ts'

const HAIR = 2 // px; what is no wider stays as wide as the screen draws it
const PX = /(?<![\w.#])(\d*\.?\d+)px\b/g
const QUERY = /@(?:media|container)[^{]*/g

const scaled = (unit: string) => (length: string, px: string) =>
  Number(px) <= HAIR ? length : `${Number((Number(px) / USUAL_LETTERS).toFixed(5))}${unit}`

export const inRem = (css: string) =>
  css.replace(QUERY, (query) => query.replace(PX, scaled('em'))).replace(PX, scaled('rem'))

export const rem = (folder: string): Plugin => ({
  name: 'rem',
  enforce: 'pre',
  transform: (code, id) => (id.startsWith(folder) && /[.]css$/.test(id.split('?')[0] ?? '') ? inRem(code) : undefined),
})

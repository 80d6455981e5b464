import { expect, test } from 'vitest'
import { COLOURS, type Colour, contrast, primary, SURFACE } from './palette'

const AA = 4.5

test.each(Object.keys(COLOURS) as Colour[])(
  '[rule.theme.color] %s reads on its surface, its tint and under its text',
  (colour) => {
    for (const mode of ['light', 'dark'] as const) {
      const { main, tint, tintHover, on, hover } = primary(colour, mode)
      expect(contrast(main, SURFACE[mode])).toBeGreaterThanOrEqual(AA)
      expect(contrast(main, tint)).toBeGreaterThanOrEqual(AA)
      expect(contrast(main, tintHover)).toBeGreaterThanOrEqual(AA)
      expect(contrast(on, main)).toBeGreaterThanOrEqual(AA)
      expect(contrast(on, hover)).toBeGreaterThanOrEqual(AA)
    }
  },
)

import { expect, test } from 'vitest'
import { type Colour, contrast, primary } from './palette'
import { COLOUR, COLOURS, colourOf, type Mode, type Role } from './tokens'

const MODES = ['light', 'dark'] as const
const AA = 4.5
const AA_OF_CONTROLS = 3 // the edge of what one presses or types into

const roles = Object.keys(COLOUR) as Role[]
const GROUNDS: Role[] = ['page', 'surface', 'raised', 'sunk']
const tints = roles.filter((role) => role.includes('-tint') && !role.startsWith('m-'))
const states = roles.filter((role) => /^state-[a-z]+$/.test(role))

const pairs = (texts: readonly Role[], grounds: (text: Role) => Role[]) =>
  texts.flatMap((text) => grounds(text).map((ground): [Role, Role] => [text, ground]))

/** All that is written, on all that it stands on. */
const PAIRS: [text: Role, ground: Role][] = [
  ...pairs(['text', 'text-2', 'text-3'], () => [...GROUNDS, ...tints]),
  ...pairs([...states, 'primary'], (text) => [...GROUNDS, `${text}-tint` as Role]),
  ...pairs(['primary'], () => ['primary-tint-hover']),
  ...pairs(['on-primary'], () => ['primary', 'primary-hover', 'primary-active']),
  ...pairs(['on-stop'], () => ['stop', 'stop-hover', 'stop-active']),
  ...pairs(['on-brand'], () => ['brand']),
  ...pairs(['m-label'], () => ['m-floor', 'm-clean', 'm-out']),
]

const low = (mode: Mode, all: [Role, Role][], least: number) =>
  all
    .map(([text, ground]) => ({ text, ground, ratio: contrast(colourOf(text, mode), colourOf(ground, mode)) }))
    .filter(({ ratio }) => ratio < least)

test.each(MODES)('every text reads on every ground that it stands on: %s', (mode) => {
  expect(PAIRS.length).toBeGreaterThan(90)
  expect(low(mode, PAIRS, AA)).toEqual([])
})

test.each(MODES)('the edge of a control is seen on every ground: %s', (mode) => {
  expect(
    low(
      mode,
      pairs(['control-border'], () => GROUNDS),
      AA_OF_CONTROLS,
    ),
  ).toEqual([])
})

test.each(Object.keys(COLOURS) as Colour[])(
  '[rule.theme.color] %s reads on its surface, its tint and under its text',
  (colour) => {
    for (const mode of MODES) {
      const { main, tint, tintHover, on, hover, active } = primary(colour, mode)
      for (const ground of [...GROUNDS.map((role) => colourOf(role, mode)), tint, tintHover])
        expect(contrast(main, ground)).toBeGreaterThanOrEqual(AA)
      for (const filled of [main, hover, active]) expect(contrast(on, filled)).toBeGreaterThanOrEqual(AA)
    }
  },
)

test('[const.theme_colour_default] the default is #017465, beside seven colours to choose from', () => {
  const { default: usual, ...choices } = COLOURS
  expect(usual.light).toBe('#017465')
  expect(Object.keys(choices)).toEqual(['green', 'deep-blue', 'sky-blue', 'blue', 'purple', 'red', 'yellow'])
  expect(new Set(Object.values(COLOURS).map(({ light }) => light)).size).toBe(8)
})

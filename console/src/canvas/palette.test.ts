import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROLES, STATES } from './palette'

const css = readFileSync('src/shared/theme/theme.css', 'utf8')
const block = (selector: string) => {
  const from = css.indexOf(`${selector} {`)
  return css.slice(from, css.indexOf('}', from))
}

test.each([':root', '[data-theme="dark"]'])('every colour of the map stands in the theme: %s', (selector) => {
  const named = [...Object.values(ROLES), ...Object.values(STATES)]
  expect(named.filter((name) => !block(selector).includes(`  ${name}: `))).toEqual([])
})

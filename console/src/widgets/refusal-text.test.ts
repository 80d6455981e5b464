import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { loadTexts, startTexts } from '@/shared/i18n/i18n'
import { refusalKey } from './refusal-text'

beforeAll(async () => {
  await startTexts([])
  await loadTexts('robot')
})

const keyOf = (reason: string, message = 'English of the robot') => refusalKey({ reason, message })

/** Reasons as the robot and the relay raise them. */
function raised(): string[] {
  const files = ['robot', 'relay', 'protocol/payloads'].flatMap((part) =>
    readdirSync(`../src/lustra/${part}`, { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.py'))
      .map((name) => readFileSync(`../src/lustra/${part}/${name}`, 'utf8')),
  )
  const matches = files.flatMap((text) => [
    ...text.matchAll(/(?:RelayCode\.\w+|0x0535),\s*"([\w.]+)"/g),
    ...text.matchAll(/(?:refus\w*|No[A-Z]\w*|PydanticCustomError)\(\s*"([\w.]+)"/g),
  ])
  return [...new Set(matches.map(([, reason]) => reason ?? ''))]
}

test('every reason that a robot or a relay gives has a text', () => {
  const reasons = raised()
  expect(reasons.length).toBeGreaterThan(90)
  expect(reasons.filter((reason) => keyOf(reason) === undefined)).toEqual([])
})

test.each([
  ['map.beyond_edge', 'no-map-beyond-edge'],
  ['0x0610', 'alarm-0610'],
  ['input_missing', 'no-input-wrong'],
])('%s says %s', (reason, key) => {
  expect(keyOf(reason)).toBe(key)
})

test('an unknown reason keeps what the robot says; a bare key is never shown', () => {
  expect(keyOf('tray_open', 'The tray is open')).toBeUndefined()
  expect(keyOf('tray_open', 'tray_open')).toBe('no-robot-failed')
  expect(keyOf('tray_open', '')).toBe('no-robot-failed')
})

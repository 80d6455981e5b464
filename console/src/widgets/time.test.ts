import { expect, test } from 'vitest'
import { toMs } from './time'

test('a moment is the same in both spellings of the wire', () => {
  expect(toMs('2026-11-20T18:02:00Z')).toBe(toMs(Date.UTC(2026, 10, 20, 18, 2)))
})

test.each([null, undefined, '', 'soon'])('%s is no moment', (moment) => {
  expect(toMs(moment)).toBeNull()
})

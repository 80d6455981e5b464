/** What the control page shows follows each field of the robot's row. */
import { expect, test } from 'vitest'
import { shallow } from 'zustand/shallow'
import { LIVE_ROW, OTHER_ROW } from '@/widgets/testing/test-live'
import { type ControlRow, controlRow } from './control-row'

const { x, y, yaw, speed, ...drawn } = OTHER_ROW
const CHANGES: ControlRow = drawn
test.each(Object.entries(CHANGES))('the page is drawn anew for another %s', (field, value) => {
  const [before, after] = [controlRow(LIVE_ROW), controlRow({ ...LIVE_ROW, [field]: value })]
  expect(after).toMatchObject({ [field]: value })
  expect(shallow(before, after)).toBe(false)
})

test('a pose alone draws no panel anew', () => {
  expect(shallow(controlRow(LIVE_ROW), controlRow({ ...LIVE_ROW, at: 2, x: 9, y: 9, yaw: 1, speed: 1 }))).toBe(true)
})

test('never round what is left of a run or a wrong clock to nothing', () => {
  expect(controlRow({ ...LIVE_ROW, remainingS: 3, clockOff: -20_000 })).toMatchObject({
    ...{ remainingS: 10, clockOff: -60_000 },
  })
})

/** Why the robot stands: by its own rule, by somebody here, or by the button on the robot. */
import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import type { ControlRow } from '../control-row'
import { StopNote } from './stop-note'

afterEach(() => vi.unstubAllGlobals())

const NOBODY = { name: '', at: 0 }
const ANN = { name: 'Ann', at: Date.UTC(2026, 0, 2, 8, 55) }

const show = (row: Partial<ControlRow>, cause = NOBODY) =>
  stage(() => <StopNote deviceId={1} row={row as ControlRow} />, {
    at: '/control',
    answers: { '/device/stopCause': cause },
  })

test.each([
  ['paused by a person', { mode: 'paused', pausedBy: '' }, ANN, /^Paused by Ann at /],
  ['stopped by a person', { mode: 'emergency', pausedBy: '' }, ANN, /^Emergency stop pressed by Ann at /],
  ['stopped at the robot', { mode: 'emergency', pausedBy: '' }, NOBODY, /^Emergency stop pressed on the robot$/],
  ['paused by its own rule', { mode: 'paused', pausedBy: '0x0535' }, NOBODY, /^Paused: /],
] as const)('%s', async (_, row, cause, text) => {
  await show(row, cause)
  await screen.findByText(text)
})

test('a robot that runs asks for no cause and says none', async () => {
  const { of } = await show({ mode: 'cleaning', pausedBy: '' }, ANN)
  expect(screen.queryByText(/Ann/)).toBeNull()
  expect(of('/device/stopCause')).toEqual([])
})

import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ALL_LAYERS } from '@/canvas/layers'
import type { MapView } from '@/canvas/view'
import { stage } from '@/widgets/testing/test-stage'
import { LanesRow } from './lanes-row'

const lane = { start: 0, end: 1, bidirectional: true, speed: 0, human: false }

test('count lanes of the building, mark them as a reference, and hide them on request', async () => {
  const setLayers = vi.fn()
  const lanes = [lane, { ...lane, bidirectional: false, speed: 0.5 }, { ...lane, bidirectional: false, human: true }]
  const view = { layers: ALL_LAYERS, setLayers } as Partial<MapView> as MapView
  const Panel = () => <LanesRow graph={{ corners: [], lanes }} view={view} />
  await stage(Panel, { at: '/', answers: {} })
  expect(await screen.findByText('For reference: these robots plan their own way.')).toBeTruthy()
  expect(screen.getByText('One-way: 1 · with a speed limit: 1')).toBeTruthy()
  const eye = screen.getByRole('button', { name: 'Show elements: Lanes of the building', pressed: true })
  await userEvent.click(eye)
  expect(setLayers).toHaveBeenCalledWith({ laneGraph: false })
  expect(eye.getAttribute('aria-pressed')).toBe('false')
})

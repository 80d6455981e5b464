import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import type { MapRow } from '../row'
import { HeatDialog } from './heat-dialog'

const CELLS = { width: 0, height: 0, column: 0, row: 0, data: 'eJwDAAAAAAE=' }
const step = (least: number | null, most: number | null, area: number) => ({ least, most, area, cells: CELLS })
const HEAT = {
  ...{ revision: 1, startDate: '2026-10-26', endDate: '2026-11-24', runs: 120, leftOut: 3, isCut: false, area: 400 },
  times: [step(0, 0, 40), step(1, 1, 60), step(2, 3, 100), step(4, 7, 100), step(8, null, 100)],
  ...{ dosed: 0, dose: [] },
  daysAgo: [step(0, 1, 300), step(2, 3, 60), step(4, 7, 0), step(8, 14, 0), step(15, null, 0), step(null, null, 40)],
}
const MAP = {
  mapId: 4,
  name: 'Ground',
  revision: 1,
  width: 4,
  height: 4,
  resolution: 0.5,
  origin: [0, 0, 0],
  closed: true,
}

afterEach(() => vi.unstubAllGlobals())

test('a floor says in a sentence and a table how often, and how long ago, it was cleaned', async () => {
  const { of } = await stage(() => <HeatDialog map={MAP as unknown as MapRow} onClose={() => undefined} />, {
    at: '/device/maplist',
    answers: { '/taskReport/heat': HEAT },
  })
  expect(await screen.findByText(/120 runs cleaned 90(\.0)?% of the free floor/)).toBeDefined()
  const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1)
  const texts = () => rows().map((row) => row.textContent?.replaceAll('\u00a0', ' '))
  expect(texts()[0]).toBe('Not cleaned40 m²10%')
  expect(texts()[4]).toBe('8 times or more100 m²25%')
  expect(screen.getByText(/3 runs/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Days since' }))
  expect(texts()).toHaveLength(6)
  expect(texts()[0]).toBe('On the last two days300 m²75%')
  await userEvent.click(screen.getByRole('button', { name: 'Last 12 months' }))
  expect(of('/taskReport/heat').map(({ payload }) => payload)).toEqual([
    { mapId: 4, range: 'month' },
    { mapId: 4, range: 'year' },
  ])
})

test('a dose is shown against a target that one chooses', async () => {
  const dose = [step(0, 0, 40), step(1, 49, 60), step(50, 99, 100), step(100, 149, 100), step(150, null, 100)]
  const { of } = await stage(() => <HeatDialog map={MAP as unknown as MapRow} onClose={() => undefined} />, {
    at: '/device/maplist',
    answers: { '/taskReport/heat': { ...HEAT, dosed: 12, dose } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Dose' }))
  expect(await screen.findByText(/50(\.0)?% of the free floor reached the target/)).toBeDefined()
  expect(screen.getByText(/spread evenly/)).toBeDefined()
  await userEvent.clear(screen.getByRole('spinbutton', { name: 'Target (ml/m²)' }))
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Target (ml/m²)' }), '30{Enter}')
  await waitFor(() => expect(of('/taskReport/heat').at(-1)?.payload).toMatchObject({ mapId: 4, target: 30 }))
})

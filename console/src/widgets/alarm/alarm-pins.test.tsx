/** Alarms that are open stand on the floor where they were raised, and lead to their evidence. */
import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Point } from '@/canvas/geometry/geometry'
import { stage } from '../testing/test-stage'
import { AlarmPins } from './alarm-pins'

afterEach(() => vi.unstubAllGlobals())

const alarm = (warnId: number, mapId: number | null, x: number | null, content = 'Stuck') => ({
  ...{ warnId, mapId, x, y: 2, content, deviceCode: 'Kestrel 1', time: '2026-11-23T08:00:00Z', type: 2 },
})
const OPEN = [alarm(7, 4, 1), alarm(8, 4, 1.2, 'Lost'), alarm(9, 4, 30), alarm(10, 5, 1), alarm(11, 4, null)]

const TO_SCREEN = { current: ({ x, y }: Point) => ({ x: x * 10, y: y * 10 }) }
const Floor = () => <AlarmPins ref={null} toScreen={TO_SCREEN} maps={[4]} />

test('those of one place share a pin that names each, and leads to the first', async () => {
  await stage(Floor, {
    at: '/index',
    keys: ['index/realWarn'],
    answers: { '/warn/listUnProcess': { list: OPEN, count: 5, taken: 0, newest: 11 } },
  })
  const both = await screen.findByRole('link', { name: /^Stuck, Kestrel 1, .*\s+Lost, Kestrel 1, / })
  expect(both.getAttribute('href')).toBe('/index/realWarn/7')
  expect(both.textContent).toBe('2')
  expect(both.style.transform).toBe('translate(10px, 20px)')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/index/realWarn/7',
    '/index/realWarn/9',
  ])
})

test('show no pins and ask for no alarms without the right', async () => {
  const { of } = await stage(Floor, { at: '/index', keys: ['device/index'], answers: {} })
  await act(async () => {})
  expect(of('/warn/listUnProcess')).toEqual([])
})

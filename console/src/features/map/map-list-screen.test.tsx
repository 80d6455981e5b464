import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/test-stage'
import { MapListScreen } from './map-list-screen'

afterEach(() => vi.unstubAllGlobals())

const map = (mapId: number, change: Record<string, unknown> = {}) => ({
  ...{ mapId, name: `floor ${mapId}`, building: '', floor: '', deviceId: null, deviceCode: '', revision: 1 },
  ...{ resolution: 0.05, origin: { x: 0, y: 0, yaw: 0 }, width: 100, height: 80, area: 20, loaded: false },
  ...{ flags: [], virtualWalls: [], forbiddenZones: [], freeAreas: [], updateTime: '2026-11-21T14:00:00Z' },
  ...change,
})
const AROUND = { '/device/selectDevicePc': { list: [], total: 0, pageNum: 1, counts: {} } }
const show = (list: unknown[], keys?: string[]) =>
  stage(MapListScreen, {
    at: '/device/maplist',
    answers: { ...AROUND, '/map/selectMap': { list } },
    ...(keys && { keys }),
  })
const file = (name: string) => new File([new Uint8Array(10)], name)

async function importing() {
  await show([])
  const [open] = await screen.findAllByRole('button', { name: 'Import map' })
  if (open) await userEvent.click(open)
  const dialog = await screen.findByRole('dialog')
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('nothing to pick files with')
  const pick = (...names: string[]) => userEvent.upload(input, names.map(file), { applyAccept: false })
  const send = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Import' })
  return { dialog, pick, send }
}

test.each([
  [['floor.pgm'], 'The yaml file is missing. Pick both files together.'],
  [['floor.yaml'], 'The image that the yaml names is missing. Pick both files together.'],
  [['a.yaml', 'b.yaml', 'a.pgm'], 'Pick one map: one yaml with one image, or one zip.'],
  [['notes.txt'], 'Only yaml, pgm, png and zip files make a map.'],
])('an import of %s says what is wrong and sends nothing', async (names, text) => {
  const { dialog, pick, send } = await importing()
  await pick(...names)
  expect((await within(dialog).findByRole('alert')).textContent).toBe(text)
  expect(send.disabled).toBe(true)
})

test('[rule.map.name] both files make an import, named after the yaml; without a name it is not sent', async () => {
  const { dialog, pick, send } = await importing()
  await pick('floor.yaml', 'floor.pgm')
  const name = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Map name' })
  expect(name.value).toBe('floor')
  expect(send.disabled).toBe(false)
  await userEvent.clear(name)
  expect(send.disabled).toBe(true)
})

test.each([
  ['without its key', ['device/maplist'], {}, 0],
  ['with its key', ['device/maplist', 'device/maplist/delete'], {}, 1],
  ['of a robot', ['device/maplist', 'device/maplist/delete'], { deviceId: 3, deviceCode: 'Kestrel 3' }, 0],
])('a map is deleted %s: %#', async (_, keys, change, buttons) => {
  await show([map(1, change)], keys)
  await screen.findByText('floor 1')
  expect(screen.queryAllByRole('button', { name: 'Delete: floor 1' })).toHaveLength(buttons)
})

test('[route.device.maplist] no map: the way to the first one', async () => {
  await show([])
  expect(await screen.findByText('No map yet. Import one, or connect a robot that has one.')).toBeDefined()
})

import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import type { Seen } from '@/shared/live/store'
import { refusal, stage } from '@/widgets/testing/test-stage'
import { MapListScreen } from './map-list-screen'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const map = (mapId: number, change: Record<string, unknown> = {}) => ({
  ...{ mapId, name: `floor ${mapId}`, building: '', floor: '', deviceId: null, deviceCode: '', revision: 1 },
  ...{ resolution: 0.05, origin: { x: 0, y: 0, yaw: 0 }, width: 100, height: 80, area: 20, loaded: false },
  ...{ flags: [], virtualWalls: [], forbiddenZones: [], freeAreas: [], erasers: [] },
  updateTime: '2026-11-21T14:00:00Z',
  ...change,
})
const AROUND = { '/device/selectDevicePc': { list: [], total: 0, pageNum: 1, counts: {} } }
const show = (list: unknown[], keys?: string[]) =>
  stage(MapListScreen, {
    at: '/device/maplist',
    answers: { ...AROUND, '/map/selectMap': { list } },
    ...(keys && { keys }),
  })
const PLAN = {
  ...{ name: 'floor', building: '', floor: '', width: 40, height: 30, resolution: 0.5, origin: [0, 0, 0], area: 300 },
  ...{ flags: [], virtualWalls: [], forbiddenZones: [], freeAreas: [], erasers: [], picture: '', step: 1 },
  ...{ leftOut: [] as unknown[], twin: null as unknown },
}
const LANES = { corners: [], lanes: [{}, {}] }

/** What is handed in by upload is answered by path; the answer is what was sent, too. */
function uploads(plans: unknown[]) {
  const sent: [string, Record<string, FormDataEntryValue>][] = []
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {}
      status = 200
      responseText = ''
      url = ''
      onload?: () => void
      open(_: string, url: string) {
        this.url = url
      }
      setRequestHeader() {}
      abort() {}
      send(form: FormData) {
        sent.push([this.url, Object.fromEntries(form)])
        this.responseText = JSON.stringify({ message: { code: 0, message: '' }, data: { list: plans } })
        queueMicrotask(() => this.onload?.())
      }
    },
  )
  return sent
}

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
  [['floor.pgm'], 'The yaml file is missing. Choose both files together.'],
  [['floor.yaml'], 'The image named in the yaml file is missing. Choose both files together.'],
  [['a.yaml', 'b.yaml', 'a.pgm'], 'Choose one map: a yaml file with one image, or one zip.'],
  [['notes.txt'], 'A map consists of yaml, pgm, png or zip files.'],
])(
  '[rule.file.count, const.maximum_file_selection_count] an import of %s says what is wrong and sends nothing',
  async (names, text) => {
    const { dialog, pick, send } = await importing()
    await pick(...names)
    expect((await within(dialog).findByRole('alert')).textContent).toBe(text)
    expect(send.disabled).toBe(true)
  },
)

test('[rule.map.name] both files make an import, named after the yaml; without a name it is not sent', async () => {
  uploads([PLAN])
  const { dialog, pick, send } = await importing()
  await pick('floor.yaml', 'floor.pgm')
  await within(dialog).findByRole('article', { name: 'floor' })
  const name = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Map name' })
  expect(name.value).toBe('floor')
  expect(send.disabled).toBe(false)
  await userEvent.clear(name)
  expect(send.disabled).toBe(true)
})

test('an import is seen before it is sent: floor, lanes, what is left out, and that the library has it', async () => {
  const twin = { mapId: 4, name: 'Annex' }
  const sent = uploads([{ ...PLAN, laneGraph: LANES, leftOut: [{ kind: 'paths', count: 58 }], twin }])
  const { dialog, pick, send } = await importing()
  await pick('floor.yaml', 'floor.pgm')
  const seen = await within(dialog).findByRole('article', { name: 'floor' })
  expect(within(seen).getByText('Left out, paths that the robot drove: 58')).toBeTruthy()
  expect(within(seen).getByText('Lanes of the building, kept for reference: 2')).toBeTruthy()
  expect(within(seen).getByText('Already in the library, as “Annex”')).toBeTruthy()
  expect(sent.map(([url]) => url)).toEqual(['/api/map/previewImport'])
  expect(send.disabled).toBe(true)
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Import it again' }))
  await userEvent.click(send)
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[1]).toMatchObject(['/api/map/importMap', { again: 'true', name: 'floor' }])
})

test('[err.text.map_load_failed] a map whose image does not come says that it failed to load', async () => {
  await show([map(1)])
  const card = await screen.findByRole('article', { name: 'floor 1' })
  expect(await within(card).findByText('Map failed to load')).toBeTruthy()
})

test('floors of a building keep names of their own', async () => {
  uploads([PLAN, { ...PLAN, name: 'Quay L2' }])
  const { dialog, pick } = await importing()
  await pick('quay.building.yaml')
  expect(await within(dialog).findAllByRole('article')).toHaveLength(2)
  expect(within(dialog).queryByRole('textbox', { name: 'Map name' })).toBeNull()
})

const DELETES = ['device/maplist', 'device/maplist/delete']
const own = { deviceId: 3, deviceCode: 'Kestrel 3', deviceSerialNumber: 'SC0003', protocolVersion: 3, commands: null }
const online = (mode = 'idle', run = '') =>
  vi.spyOn(live, 'robot').mockReturnValue({ row: { mode, run }, receivedAt: 0 } as Seen)

/** What the menu of the first map offers: its words, and what stands in the way. */
async function menu() {
  await userEvent.click(await screen.findByRole('button', { name: 'More: floor 1' }))
  const items = await screen.findAllByRole('menuitem')
  return items.map((item) => `${item.getAttribute('aria-disabled') === 'true' ? '- ' : ''}${item.textContent}`)
}

test.each([
  ['of the library', {}, ['device/maplist'], ['Send to a robot', 'Name, building and floor', 'Download']],
  ['with its key', {}, DELETES, ['Send to a robot', 'Name, building and floor', 'Download', 'Delete']],
  ['without any key', {}, [], []],
  ['that support may not see', { closed: true }, ['device/maplist'], []],
])('[perm.button.device.maplist.delete] offer the actions of a map %s', async (_, change, keys, offered) => {
  await show([map(1, change)], keys)
  await screen.findByRole('article', { name: 'floor 1' })
  if (offered.length > 0) expect(await menu()).toEqual(offered)
  else expect(screen.queryByRole('button', { name: 'More: floor 1' })).toBeNull()
})

test('offer how often a floor was cleaned to who reads reports', async () => {
  await show([map(1, {})], ['device/report'])
  expect(await menu()).toEqual(['Heat map'])
})

test('a map offers nothing that its robot has no command for', async () => {
  online()
  await show([map(1, { ...own, commands: ['map_load'] })], DELETES)
  expect(await menu()).toEqual(['Send to a robot', 'Switch to this map', 'Download', 'Delete this copy'])
})

test("a robot's map is changed at the robot; one that is loaded is neither switched to nor deleted", async () => {
  online()
  await show([map(1, { ...own, loaded: true })], DELETES)
  expect(await menu()).toEqual([
    'Send to a robot',
    '- Switch to this map This map is in use',
    'Place dock',
    'Name, building and floor',
    'Download',
    '- Delete this copy This map is in use',
    '- Delete This map is in use',
  ])
})

test('change only the copy of an offline robot, and say why', async () => {
  online('offline')
  await show([map(1, own)], DELETES)
  const offered = await menu()
  expect(offered.filter((label) => label.startsWith('- '))).toEqual(
    ['Switch to this map', 'Place dock', 'Name, building and floor', 'Delete'].map(
      (label) => `- ${label} The robot is offline.`,
    ),
  )
  expect(offered).toContain('Delete this copy')
})

const RELAY = 'http://relay'
const grant = { url: RELAY, port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 1 }
const robotSays = (answer: object) => new Response(JSON.stringify(answer))

async function switching(control: object, taking: unknown) {
  online('cleaning', 'run 7')
  const { of } = await stage(MapListScreen, {
    at: '/device/maplist',
    keys: DELETES,
    answers: {
      ...AROUND,
      ...{ '/map/selectMap': { list: [map(1, own)] }, '/device/control': control, '/device/takeControl': taking },
      ...{ '/device/releaseControl': {}, '/device/relayGrant': grant },
      [`${RELAY}/?m=api2/map_load&p=7`]: () => robotSays({ code: 0, msg: '' }),
    },
  })
  await menu()
  await userEvent.click(screen.getByRole('menuitem', { name: 'Switch to this map' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('Switching the map ends all tasks. Continue?')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Switch map' }))
  return { dialog, count: (path: string) => of(path).length, sent: () => of(`${RELAY}/?m=api2/map_load&p=7`) }
}

test('[state.map_change, state.map_change.changing, err.text.confirm_map_change, rule.confirm.map_change] a map is loaded after a warning; control is taken for that alone', async () => {
  const { count, sent } = await switching({ mine: false }, {})
  await vi.waitFor(() => expect(count('/device/releaseControl')).toBe(1))
  expect(sent().map(({ payload }) => payload)).toEqual([{ name: 'floor 1', ends: 'run 7' }])
  expect(count('/device/takeControl')).toBe(1)
})

test('leave control with its holder', async () => {
  const { count, sent } = await switching({ mine: true }, {})
  await vi.waitFor(() => expect(sent()).toHaveLength(1))
  expect(count('/device/takeControl') + count('/device/releaseControl')).toBe(0)
})

test('while somebody else has control nothing is loaded, and the holder is named', async () => {
  const { dialog, sent } = await switching({ mine: false }, () => refusal('Orla has control of this robot'))
  expect((await within(dialog).findByRole('alert')).textContent).toContain('Orla has control of this robot')
  expect(sent()).toHaveLength(0)
})

test('a floor of a building is chosen, and stands in the address', async () => {
  const at = (mapId: number, building: string, floor: string) => map(mapId, { building, floor })
  const { router } = await show([at(1, 'Quay', '1'), at(2, 'Quay', '2'), at(3, 'Ark', '1')])
  const labels = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))
  await screen.findByRole('region', { name: 'Quay' })
  expect(labels()).toEqual(['floor 3', 'floor 1', 'floor 2'])
  await userEvent.click(screen.getByRole('button', { name: 'floor 2' }))
  expect(router.state.location.search).toBe('?building=Quay&floor=2')
  expect(labels()).toEqual(['floor 2'])
  await userEvent.click(screen.getByRole('button', { name: 'All floors' }))
  expect(labels()).toEqual(['floor 1', 'floor 2'])
})

test('robots of a floor share one entry, with the version of each and what differs', async () => {
  online()
  const flag = { name: 'Dock', type: 'charging', x: 1, y: 2, yaw: 0, id: 'd' }
  const of = (mapId: number, change: object = {}) =>
    map(mapId, {
      ...{ ...own, deviceId: mapId, deviceCode: `Kestrel ${mapId}`, name: 'Ground', origin: [0, 0, 0] },
      ...change,
    })
  const newest = { flags: [flag], revision: 7, updateTime: '2026-11-22T14:00:00Z' }
  await show([of(1, newest), of(2, { ...newest, loaded: true }), of(3)], [...DELETES, 'device/maplist/sync'])
  const floor = await screen.findByRole('article', { name: 'Ground' })
  within(floor).getByText('Robots with this version: 2 of 3')
  within(floor).getByRole('button', { name: 'Send to several robots' })
  const [first, second, third] = within(within(floor).getByRole('list')).getAllByRole('listitem')
  expect(first?.textContent).toContain('Version 7 · shown above')
  expect(second?.textContent).toContain('On Kestrel 2 In use')
  if (!third) throw new Error('no third robot')
  await userEvent.click(within(third).getByRole('button', { name: '1 difference' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText('Dock')
})

const SIZES = [map(1, { area: 20 }), map(2, { area: 90, building: 'Ark' }), map(3, { area: 50 })]

test('maps are sorted as cards over all buildings, by a press on a column', async () => {
  const { router } = await show(SIZES)
  const labels = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'))
  await userEvent.click(await screen.findByRole('button', { name: 'Usual order' }))
  const by = await screen.findByRole('button', { name: 'Area (m²)' })
  await userEvent.click(by)
  expect(labels()).toEqual(['floor 1', 'floor 3', 'floor 2'])
  await userEvent.click(by)
  expect(labels()).toEqual(['floor 2', 'floor 3', 'floor 1'])
  expect(router.state.location.search).toBe('?sort=-area')
  expect(screen.queryByRole('region')).toBeNull()
})

test('maps stand in a table by the address, with the same filters and what can be done', async () => {
  await stage(MapListScreen, {
    at: '/device/maplist?view=table&building=Ark',
    answers: { ...AROUND, '/map/selectMap': { list: SIZES } },
  })
  const table = await screen.findByRole('table', { name: 'Maps' })
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['floor 2'])
  expect(within(table).getByRole('button', { name: 'More: floor 2' })).toBeDefined()
})

test('no map fits the filter: it says so and takes the filter away', async () => {
  const { router } = await stage(MapListScreen, {
    at: '/device/maplist?building=Nowhere',
    answers: { ...AROUND, '/map/selectMap': { list: SIZES } },
  })
  await screen.findByText('No matches for this filter')
  await userEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
  expect(router.state.location.search).toBe('')
  expect(await screen.findAllByRole('article')).toHaveLength(3)
})

test('[route.device.maplist] no map: the way to the first one', async () => {
  await show([])
  expect(await screen.findByText('No maps yet. Import one, or connect a robot that has one.')).toBeDefined()
})

test('a robot is looked for at the server, however many there are', async () => {
  const { of } = await show([map(1, {})])
  await userEvent.type(await screen.findByRole('combobox', { name: 'Robot' }), 'Kes')
  await vi.waitFor(() => expect(of('/device/selectDevicePc').at(-1)?.payload).toMatchObject({ deviceCode: 'Kes' }))
})

import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { ElevatorsScreen } from './elevators/elevators-screen'
import { NodesScreen } from './nodes-screen'
import { address, floors, lastPort, phone, port } from './rules'
import { ServersScreen } from './servers-screen'

afterEach(() => vi.unstubAllGlobals())

const NODE = {
  ...{ id: 5, name: 'Harbour', url: 'https://relay.example.org', country: 'SG', region: 'singapore', supportType: 0 },
  ...{ flag: 0, sshPort: null, webPort: null, frpPort: 20000, frpPortEnd: 30000, ours: false, robots: 3 },
  ...{ state: 'up', since: 1_790_000_000_000, tunnels: 2, updateTime: '2026-11-21T14:00:00Z' },
}
const PLACES = { countries: ['CN', 'SG'], nodes: ['CN', 'SG'], regions: ['domestic', 'singapore', 'france', 'eu'] }
const refused = (code: number, message: string, data: unknown) => () =>
  Response.json({ message: { code, message }, data })

const nodes = (answers: Record<string, unknown> = {}, at = '/device/index/hostManage') =>
  stage(NodesScreen, {
    at,
    keys: ['device/index/hostManage'],
    answers: {
      '/wmDeviceHostInfo/queryByPage': { list: [NODE], total: 1, pageNum: 1 },
      '/wmDeviceHostInfo/places': PLACES,
      ...answers,
    },
  })

test('[route.device.index.hostManage] [feat.area.nodes] a node shows whether it is up, its tunnels and robots', async () => {
  await nodes()
  const line = within((await screen.findByRole('rowheader', { name: 'Harbour' })).closest('tr') as HTMLElement)
  expect(line.getByText(/^Online since/)).toBeDefined()
  expect(line.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(
    expect.arrayContaining(['2', '3', 'Singapore', '20000–30000']),
  )
})

test('words stand in the address and are asked for', async () => {
  const { of } = await nodes({}, '/device/index/hostManage?text=harb')
  await screen.findByText('Harbour')
  expect(of('/wmDeviceHostInfo/queryByPage')[0]?.payload).toMatchObject({ name: 'harb' })
})

test('[rule.port.range] a node is not sent before its fields are right', async () => {
  const { of } = await nodes({ '/wmDeviceHostInfo/add': { id: 6 } })
  await userEvent.click(await screen.findByRole('button', { name: 'Add transfer node' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('SSH port'), '19999')
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(dialog.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'Enter a name',
    'Enter an address such as https://relay.example.org',
    'Enter a port from 20000 to 30000',
    'Form validation failed, please check',
  ])
  await userEvent.type(dialog.getByLabelText('Name'), 'Quay')
  await userEvent.type(dialog.getByLabelText('Address'), 'quay.example.org')
  await userEvent.clear(dialog.getByLabelText('SSH port'))
  await userEvent.type(dialog.getByLabelText('SSH port'), '20022')
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(of('/wmDeviceHostInfo/add')[0]?.payload).toMatchObject({
    name: 'Quay',
    url: 'quay.example.org',
    sshPort: 20022,
  })
})

test('show a late editor what changed, take it over and keep what was typed', async () => {
  let row = NODE
  let late = true
  const { of } = await nodes({
    '/wmDeviceHostInfo/queryByPage': () => ({ list: [row], total: 1, pageNum: 1 }),
    '/wmDeviceHostInfo/edit': () => (late ? refused(40009, 'Changed', { fields: ['country'] })() : {}),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit: Harbour' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Name'), ' 2')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/someone else: Country/)).toBeDefined()
  row = { ...NODE, country: 'CN', updateTime: '2026-11-21T15:00:00Z' }
  late = false
  await userEvent.click(dialog.getByRole('button', { name: 'Refresh' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Use these and keep my changes' }))
  await userEvent.click(dialog.getByRole('button', { name: /Save$/ })) // no motion ends here: its mark of work still leaves
  expect(of('/wmDeviceHostInfo/edit')[1]?.payload).toMatchObject({
    ...{ id: 5, name: 'Harbour 2', country: 'CN', updateTime: '2026-11-21T15:00:00Z' },
  })
})

test('a node in use says by how many robots, where it was to be deleted', async () => {
  const says = 'id: In use by robots: 3 (A · B · C)'
  await nodes({ '/wmDeviceHostInfo/deleteById': refused(40000, says, { field: 'id', count: 3 }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Delete: Harbour' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  expect((await dialog.findByRole('alert')).textContent).toBe('In use by robots: 3 (A · B · C)')
})

test('[route.file.host] [feat.area.nodes] file servers are listed and added', async () => {
  const { of } = await stage(ServersScreen, {
    at: '/file/host',
    keys: ['file/host'],
    answers: { '/host/list': { list: [] }, '/host/add': { id: 1 } },
  })
  expect(await screen.findByText('No file servers yet.')).toBeDefined()
  await userEvent.click(screen.getAllByRole('button', { name: 'Add server' })[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Name'), 'Files')
  await userEvent.type(dialog.getByLabelText('Address'), 'files.example.org')
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(of('/host/add')[0]?.payload).toEqual({ name: 'Files', url: 'files.example.org', flag: 1 })
})

test('[route.elevator.index] [feat.area.elevators] [rule.elevator.name] [rule.elevator.building] an elevator wants name, building and floors', async () => {
  const { of } = await stage(ElevatorsScreen, {
    at: '/elevator/index',
    keys: ['elevator/index'],
    answers: { '/elevator/list': { list: [], total: 0, pageNum: 0 }, '/elevator/insertElevator': { elevatorId: 1 } },
  })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Add elevator' }))[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  const send = dialog.getByRole('button', { name: 'Add' })
  await userEvent.click(send)
  expect(dialog.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'Enter a name',
    'Enter a name',
    'Enter the floors',
    'Form validation failed, please check',
  ])
  await userEvent.type(dialog.getByLabelText('Name'), 'Lift A')
  await userEvent.type(dialog.getByLabelText('Building'), 'Tower 2')
  await userEvent.type(dialog.getByLabelText('Floors'), 'B1,1,2')
  await userEvent.click(send)
  expect(of('/elevator/insertElevator')[0]?.payload).toMatchObject({
    elevatorName: 'Lift A',
    floor: 'B1,1,2',
    provider: 0,
  })
})

test('the rules are the server’s', () => {
  for (const [value, fault] of [
    [19999, 'fault-port'],
    [20000, undefined],
    [30000, undefined],
    [30001, 'fault-port'],
    [null, undefined],
  ] as const)
    expect(port(value, {})).toBe(fault)
  expect(lastPort(20999, { frpPort: 21000 })).toBe('fault-port-order')
  for (const bad of ['', 'ftp://a', 'https://u@a', 'a b', 'https://a?x', 'https://'])
    expect(address(bad, {})).toBe('fault-address')
  for (const good of ['relay.example.org', 'http://10.0.0.7:8081/', 'https://[::1]:8443'])
    expect(address(good, {})).toBeUndefined()
  expect([phone('', {}), phone('13800138000', {}), phone('1380013800', {})]).toEqual([
    undefined,
    undefined,
    'fault-phone',
  ])
  expect([floors(' , ', {}), floors('1,2,1', {}), floors('B1, 1', {})]).toEqual([
    'fault-floors',
    'fault-floors-twice',
    undefined,
  ])
})

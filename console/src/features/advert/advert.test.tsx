import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { device, stage } from '@/widgets/testing/test-stage'
import { AdvertScreen } from './advert-screen'
import { fileFault } from './files'
import { FIELDS, NEW, type Values } from './form'

afterEach(() => vi.unstubAllGlobals())

const advert = (id: number, name: string, more: Record<string, unknown> = {}) => ({
  ...{ id, name, rank: id, seconds: 10, startDate: null, endDate: null, startTime: '', endTime: '', userId: 3 },
  ...{ deviceIds: [], typeIds: [], userName: 'Kestrel', kind: 'image/png', size: 1, url: `/picture/${id}` },
  ...{ state: 'showing', robots: 2, shown: 12, zones: ['Asia/Singapore'], updateTime: '2026-11-21T14:00:00Z', ...more },
})
const SPRING = advert(1, 'Spring', { startDate: '2026-03-01', startTime: '09:00', endTime: '18:00' })
const FILM = advert(2, 'Film', { kind: 'video/mp4', state: 'planned', zones: ['Asia/Singapore', 'Europe/Berlin'] })
const SELECT = '/device/selectDeviceAdvertising'
const refused = (code: number, message: string, data: unknown) => () =>
  Response.json({ message: { code, message }, data })

const adverts = (answers: Record<string, unknown> = {}, at = '/device/ad') =>
  stage(AdvertScreen, {
    at,
    keys: ['device/ad', 'device/index'],
    answers: { [SELECT]: { list: [SPRING, FILM], zone: '' }, ...answers },
  })

const lines = () => screen.getAllByRole('rowheader').map((cell) => cell.querySelector('bdi')?.textContent)
const cells = (name: string) =>
  within(screen.getByText(name).closest('tr') as HTMLElement)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

test('[route.device.ad] [ent.advertising] an advert says its state, when it is shown where, and for whom', async () => {
  await adverts()
  await screen.findByText('Spring')
  expect(cells('Spring').slice(2, 7)).toEqual([
    'Showing',
    'From 1 Mar 202609:00–18:00 · Asia/Singapore',
    'All robots2 robots',
    '12',
    'Kestrel',
  ])
  expect(cells('Film').slice(2, 4)).toEqual(['Planned', 'Every dayAll day · local time of each robot'])
})

test('move an advert up by a key that keeps the focus, and announce its place', async () => {
  let list = [SPRING, FILM]
  const { of } = await adverts({
    [SELECT]: () => ({ list, zone: '' }),
    '/device/orderDeviceAdvertising': () => {
      list = [FILM, SPRING]
      return {}
    },
  })
  ;(await screen.findByRole('button', { name: 'Move up: Film' })).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(of(SELECT).length).toBeGreaterThan(1))
  expect(of('/device/orderDeviceAdvertising')[0]?.payload).toEqual({ advertIds: [2, 1] })
  expect(lines()).toEqual(['Film', 'Spring'])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move down: Film') // nothing is above it
  expect(screen.getByText('“Film”: position 1 of 2')).toBeDefined()
})

test('an order that is refused stands as it was, and says why', async () => {
  await adverts({ '/device/orderDeviceAdvertising': refused(40004, 'Not found', null) })
  await userEvent.click(await screen.findByRole('button', { name: 'Move up: Film' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Not found')
  expect(lines()).toEqual(['Spring', 'Film'])
})

test('a state stands in the address; part of a list cannot be ordered', async () => {
  await adverts({}, '/device/ad?state=planned')
  await screen.findByText('Film')
  expect(lines()).toEqual(['Film'])
  expect(screen.queryByRole('button', { name: 'Move up: Film' })).toBeNull()
})

test('list what a robot would show now in sequence, and the rest apart', async () => {
  const { of } = await adverts(
    {
      [SELECT]: ({ deviceSerialNumber }: Record<string, unknown>) => ({
        list: deviceSerialNumber ? [advert(4, 'Sale'), FILM, SPRING] : [],
        zone: 'Asia/Singapore',
      }),
      '/device/selectDeviceByDeviceId': device(7),
    },
    '/device/ad?robot=7',
  )
  const now = (await screen.findByText('Kestrel 7 shows now, in this order')).closest('section')
  expect(
    within(now as HTMLElement)
      .getAllByRole('listitem')
      .map((heading) => heading.textContent),
  ).toEqual([expect.stringMatching(/^1Sale/), expect.stringMatching(/^2Spring/)])
  const other = screen.getByText('Not at this time').closest('section')
  expect(within(other as HTMLElement).getByText('Planned')).toBeDefined()
  expect(of(SELECT).at(-1)?.payload).toEqual({ deviceSerialNumber: 'SC0007' })
})

test('[rule.names.other] an advert wants a name and a file before it is sent', async () => {
  const { of } = await adverts({ [SELECT]: { list: [], zone: '' } })
  await userEvent.click((await screen.findAllByRole('button', { name: 'Add advert' }))[0] as HTMLElement)
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  expect(dialog.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
    'Enter a name',
    'Choose an image or video',
  ])
  expect(of('/device/insertDeviceAdvertising')).toEqual([])
})

test('show a late editor what changed, take it over and keep what was typed', async () => {
  let row = SPRING
  let late = true
  const { of } = await adverts({
    [SELECT]: () => ({ list: [row], zone: '' }),
    '/device/updateDeviceAdvertising': () =>
      late ? refused(40009, 'Changed', { fields: ['seconds', 'place'] })() : {},
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Edit: Spring' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Name'), ' 2')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/someone else: Seconds on screen · Content/)).toBeDefined()
  row = { ...SPRING, seconds: 20, updateTime: '2026-11-21T15:00:00Z' }
  late = false
  await userEvent.click(dialog.getByRole('button', { name: 'Refresh' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Use these and keep my changes' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(of('/device/updateDeviceAdvertising')[1]?.payload).toMatchObject({
    ...{ id: 1, name: 'Spring 2', seconds: 20, startTime: '09:00', updateTime: '2026-11-21T15:00:00Z' },
  })
})

const file = (bytes: string, size = bytes.length) => {
  const file = new File([Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))], 'any.png')
  Object.defineProperty(file, 'size', { value: size })
  return file
}

test.each([
  ['\x89PNG\r\n\x1a\n....', 2 << 20, undefined],
  ['\x89PNG\r\n\x1a\n....', (2 << 20) + 1, 'fault-picture-large'],
  ['RIFF....WEBP', 100, undefined],
  ['....ftypisom', 50 << 20, undefined],
  ['....ftypisom', (50 << 20) + 1, 'fault-video-large'],
  ['\x1aE\xdf\xa3........', 100, undefined],
  ['MZ..........', 100, 'fault-format'],
  ['', 0, 'fault-format'],
])('[rule.image.size] [rule.image.format] %j of %d bytes: %s', async (bytes, size, fault) => {
  expect(await fileFault([file(bytes, size)])).toBe(fault)
})

test('[rule.image.one] take one file at a time', async () => {
  expect(await fileFault([file('GIF89a......'), file('GIF89a......')])).toBe('fault-one-file')
})

const faultsOf = (values: Values) =>
  Object.fromEntries(
    FIELDS.flatMap(({ name, rule }) => [rule?.(values[name], values) ?? []].flat().map((key) => [name, key])),
  )

test('the rules of an advert are the server’s', () => {
  const right = { ...NEW, name: 'x' }
  expect(faultsOf(right)).toEqual({})
  expect(faultsOf({ ...right, seconds: 3601, some: true, startTime: '09:00' })).toEqual({
    ...{ seconds: 'fault-seconds', some: 'fault-targets', endTime: 'fault-hours' },
  })
  expect(faultsOf({ ...right, some: true, typeIds: [1] })).toEqual({})
})

test('count views of an advert by robot and by day', async () => {
  await adverts({
    '/device/selectAdvertShowings': {
      list: [
        {
          deviceId: 1,
          deviceSerialNumber: 'SC0001',
          deviceCode: 'Kestrel 1',
          times: 9,
          lastTime: '2026-11-21T14:00:00Z',
        },
        { deviceId: 2, deviceSerialNumber: '', deviceCode: '', times: 3, lastTime: '2026-11-21T14:00:00Z' },
      ],
      days: [{ day: '2026-11-21', times: 12 }],
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Showings: Spring' }))
  const dialog = await screen.findByRole('dialog')
  const rows = (await within(dialog).findAllByRole('rowheader')).map((cell) => cell.textContent)
  expect(rows).toEqual(['Kestrel 1', 'No longer yours', '21 Nov 2026'])
})

test('show how far robots are with their adverts, and send failed ones again', async () => {
  const { of } = await adverts({
    '/device/selectAdvertDeliveryPageList': {
      list: [
        {
          ...{ deviceId: 1, deviceSerialNumber: 'SC0001', deviceCode: 'Kestrel 1', state: 'failed' },
          ...{ reason: 'advert_space', shownTime: null, updateTime: '2026-11-21T14:00:00Z' },
        },
      ],
      ...{ total: 1, pageNum: 1, counts: { waiting: 0, sent: 0, shown: 3, failed: 1 } },
    },
    '/device/sendAdverts': {},
  })
  await userEvent.click(await screen.findByRole('button', { name: 'On robots' }))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('Shown on 3 of 4 devices')
  dialog.getByText('The robot has no room for the adverts')
  await userEvent.click(dialog.getByRole('button', { name: 'Send again' }))
  await waitFor(() => expect(of('/device/sendAdverts')[0]?.payload).toEqual({}))
})

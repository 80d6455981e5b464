import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onNotice } from '@/shared/ui/notice'
import { SIZES, TILES } from '@/widgets/tablet/look'
import { stage } from '@/widgets/testing/test-stage'
import { TabletBranding } from './branding-dialog'
import { PICTURES, THEMES } from './parts'

const sent: string[] = []

/** What the browser reads of the next file. */
let size = { width: 0, height: 0 }

beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('createImageBitmap', async () => ({ ...size, close: () => undefined }))
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      upload = {}
      status = 200
      responseText = ''
      onload?: () => void
      open() {}
      setRequestHeader() {}
      send(form: FormData) {
        sent.push(String(form.get('picture')))
        const data = { url: `/api/public/tabletPicture/${sent.length}` }
        this.responseText = JSON.stringify({ message: { code: 0, message: '' }, data })
        this.onload?.()
      }
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

const urlOf = (name: string) => `/api/public/tabletPicture/${name}`
const SAVED = {
  ...Object.fromEntries(PICTURES.map(([name]) => [name, urlOf(name)])),
  ...{ homeTiles: TILES.map(urlOf), aboutUs: 'We clean.', themeColor: '#1D3F94' },
  ...{ userId: 2, updateTime: '2026-11-20T10:00:00Z' },
}

const ROBOT = { deviceId: 7, deviceSerialNumber: 'SC0007', deviceCode: 'Hall', reason: '', shownTime: null }
const ROBOTS = [
  { ...ROBOT, state: 'failed', reason: 'tablet_link', updateTime: '2026-11-20T10:00:00Z' },
  { ...ROBOT, deviceId: 8, deviceCode: 'Lift', state: 'shown', shownTime: '2026-11-20T10:00:00Z' },
]
const DELIVERIES = { list: ROBOTS, pageNum: 1, total: 2, counts: { waiting: 0, sent: 0, shown: 1, failed: 1 } }
const NONE = { list: [], pageNum: 0, total: 0, counts: { waiting: 0, sent: 0, shown: 0, failed: 0 } }

async function show(padConfig: unknown, deliveries: object = NONE) {
  const closed = vi.fn()
  const answers = { '/user/selectPadConfig': { padConfig }, '/user/updatePadConfig': {}, '/oss/holdings': [] }
  Object.assign(answers, { '/user/selectPadDeliveryPageList': deliveries, '/user/sendPadConfig': {} })
  const { of } = await stage(() => <TabletBranding onClose={closed} />, { at: '/index', answers, level: 2 })
  const save = await screen.findByRole('button', { name: 'Save' })
  const dialog = screen.getByRole('dialog')
  const inputOf = (label: string) => dialog.querySelector(`input[data-picture="${label}"]`) as HTMLInputElement
  const choose = (label: string, file = new File(['x'], 'a.png', { type: 'image/png' })) =>
    userEvent.upload(inputOf(label), file, { applyAccept: false })
  return { dialog, save, choose, of, closed }
}

const faults = (dialog: HTMLElement) =>
  within(dialog)
    .queryAllByRole('alert')
    .map((fault) => fault.textContent)

test('[rule.pad.images, rule.pad.about, const.about_us_min] send nothing while a picture or the text is missing', async () => {
  const { dialog, save, of } = await show(null)
  await userEvent.click(save)
  const missing = faults(dialog)
  expect(missing.filter((fault) => fault === 'Please select a picture')).toHaveLength(PICTURES.length + TILES.length)
  expect(missing).toContain('Enter at least 2 characters')
  await userEvent.type(within(dialog).getByLabelText('About us'), 'H')
  expect(faults(dialog)).toContain('Enter at least 2 characters')
  await userEvent.type(within(dialog).getByLabelText('About us'), 'i')
  expect(faults(dialog)).not.toContain('Enter at least 2 characters')
  expect(of('/user/updatePadConfig')).toHaveLength(0)
})

test('[call.user.updatePadConfig, dialog.pad_customisation, const.pad_images] send all chosen pictures and texts', async () => {
  const { dialog, save, choose, of, closed } = await show(SAVED)
  const texts: string[] = []
  const stop = onNotice(({ text }) => void texts.push(text))
  size = SIZES.homeTile
  await choose('Home tile: Map')
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Purple' }))
  await userEvent.click(save)
  await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  const { userId: _, ...fields } = SAVED
  expect(of('/user/updatePadConfig')[0]?.payload).toEqual({
    ...fields,
    homeTiles: SAVED.homeTiles.with(1, urlOf('1')),
    themeColor: '#6B3FA0',
  })
  expect(texts).toEqual(['Tablet branding was saved'])
  stop()
})

test('[rule.pad.sizes] a picture of the exact size is sent as it is; of another, a part of that shape is chosen first', async () => {
  const { dialog, choose } = await show(SAVED)
  for (const [name, label] of [
    ['bootAnimation', 'Boot animation'],
    ['loginBackground', 'Login background'],
    ['loginLogo', 'Login logo'],
    ['mainLogo', 'Main logo'],
    ['idleAnimation', 'Idle animation'],
  ] as const) {
    size = SIZES[name]
    await choose(label)
    await vi.waitFor(() => expect(sent.at(-1)).toBe(name))
    size = { width: SIZES[name].width, height: SIZES[name].height - 80 }
    const before = sent.length
    await choose(label)
    const title = await screen.findByText(`Crop: ${label}`)
    expect(sent).toHaveLength(before)
    const crop = title.closest('[role=dialog]') as HTMLElement
    await userEvent.click(within(crop).getByRole('button', { name: 'Cancel' }))
  }
  expect(within(dialog).getByText('800 × 326 pixels')).toBeTruthy()
  await choose('Main logo', new File(['x'], 'a.svg', { type: 'image/svg+xml' }))
  expect(faults(dialog)).toContain('PNG, JPG, GIF or WebP only')
})

test('the tablet beside the form shows what is being chosen', async () => {
  const { dialog, choose } = await show(SAVED)
  const tablet = () => within(dialog).getByRole('img', { name: /^Preview/ })
  expect(tablet().getAttribute('aria-label')).toBe('Preview: Home')
  expect(tablet().querySelectorAll('image')).toHaveLength(TILES.length + 1)
  await userEvent.type(within(dialog).getByLabelText('About us'), ' Well.')
  expect(tablet().textContent).toContain('We clean. Well.')
  size = SIZES.loginLogo
  await choose('Login logo')
  await vi.waitFor(() => expect(tablet().getAttribute('aria-label')).toBe('Preview: Login'))
  expect([...tablet().querySelectorAll('image')].map((image) => image.getAttribute('href'))).toEqual([
    urlOf('loginBackground'),
    urlOf('1'),
  ])
  expect(tablet().querySelector('rect[fill="#1D3F94"]')).toBeTruthy()
})

test('[const.theme_colour_default] the usual colour stands beside the seven choices', () => {
  expect(THEMES.map(([colour]) => colour)).toHaveLength(8)
  expect(THEMES[0]).toEqual(['#017465', 'default'])
})

test('each robot says how far it is, and what failed is sent again: one robot, or all', async () => {
  const { of } = await show(SAVED, DELIVERIES)
  const robots = await screen.findByRole('region', { name: 'On robots' })
  expect(within(robots).getByRole('heading').textContent).toBe('Shown on 1 of 2 devices')
  within(robots).getByText('The link to a picture expired')
  await userEvent.click(within(robots).getByRole('button', { name: 'Send again: Lift' }))
  await userEvent.click(within(robots).getByRole('button', { name: 'Send again' }))
  await vi.waitFor(() => expect(of('/user/sendPadConfig').map(({ payload }) => payload)).toEqual([{ deviceId: 8 }, {}]))
  await userEvent.click(within(robots).getByRole('button', { name: 'Failed 1' }))
  await vi.waitFor(() =>
    expect(of('/user/selectPadDeliveryPageList').at(-1)?.payload).toMatchObject({ state: 'failed' }),
  )
})

test('before anything was saved no robots are listed', async () => {
  await show(null, DELIVERIES)
  expect(screen.queryByRole('region', { name: 'On robots' })).toBeNull()
})

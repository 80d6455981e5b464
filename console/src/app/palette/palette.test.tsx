import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePreferences } from '@/shared/theme/preferences'
import { type PageAction, useActions } from '@/widgets/actions/actions'
import { device, stageRoutes } from '@/widgets/testing/test-stage'
import { PaletteButton } from '../shell/palette-button'
import { PaletteDoor } from './palette-door'

const fit = vi.fn()
let blocked = ''
const ACTIONS: readonly PageAction[] = [
  { id: 'fit', label: 'Move inside map', keys: ['f'], blocked: () => blocked, run: fit },
]

function Page() {
  useActions(ACTIONS)
  return (
    <>
      <PaletteDoor actions={[]} />
      <PaletteButton />
      <input aria-label="Words" />
    </>
  )
}

/** The server finds by words within names. */
const answer =
  (row: object, field: string) =>
  ({ [field]: text }: Record<string, unknown>) => ({
    list: JSON.stringify(row).includes(String(text)) ? [row] : [],
  })

const show = (keys = ['device/index', 'device/info', 'device/maplist', 'message/index']) =>
  stageRoutes(
    [
      { path: '/here', element: <Page /> },
      { path: '*', element: <p>elsewhere</p> },
    ],
    {
      at: '/here',
      keys,
      answers: {
        '/device/selectDevicePc': answer(device(7), 'deviceCode'),
        '/map/selectMap': answer({ mapId: 3, name: 'Lobby of Kestrel', building: 'Quay', deviceCode: '' }, 'text'),
        '/user/preferences': {},
      },
    },
  )
const open = async () => {
  await screen.findByLabelText('Words')
  await userEvent.keyboard('{Control>}k{/Control}')
  return within(await screen.findByRole('dialog'))
}
const options = () => screen.getAllByRole('option').map((option) => option.textContent)

beforeEach(() => {
  localStorage.clear()
  usePreferences.setState({}, true)
  blocked = ''
  fit.mockClear()
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(() => vi.unstubAllGlobals())

test('Ctrl-K goes to a page by its letters and the keyboard alone', async () => {
  const { router } = await show()
  const dialog = await open()
  await userEvent.type(dialog.getByRole('combobox'), 'mece')
  expect(options()[0]).toBe('Message centre')
  await userEvent.keyboard('{Enter}')
  expect(router.state.location.pathname).toBe('/message/index')
})

test('a button opens the palette, too', async () => {
  await show()
  await userEvent.click(await screen.findByRole('button', { name: 'Search or jump to…' }))
  expect(await screen.findByRole('combobox', { name: 'Command palette' })).toBeDefined()
})

test('only pages that the account may open are offered', async () => {
  await show(['device/index'])
  await open()
  expect(options()).toContain('DevicesDevice management')
  expect(options().join()).not.toContain('Message centre')
})

test('the page’s actions are offered with their keys; a blocked action is not', async () => {
  await show()
  const dialog = await open()
  await userEvent.type(dialog.getByRole('combobox'), 'insidemap')
  expect(options()).toEqual(['Move inside mapF'])
  await userEvent.keyboard('{Enter}')
  expect(fit).toHaveBeenCalledOnce()
  blocked = 'not now'
  const again = await open()
  await userEvent.type(again.getByRole('combobox'), 'insidemap')
  await waitFor(() => expect(screen.queryByRole('option', { name: /Move inside map/ })).toBeNull())
})

test('robots and maps are found by the server, and nothing is asked before a word is typed', async () => {
  const { of, router } = await show()
  const dialog = await open()
  expect(of('/device/selectDevicePc')).toEqual([])
  await userEvent.type(dialog.getByRole('combobox'), 'Kes')
  const robot = await screen.findByRole('option', { name: /Kestrel 7/ })
  expect(of('/device/selectDevicePc').at(-1)?.payload).toMatchObject({ deviceCode: 'Kes' })
  expect(await screen.findByRole('option', { name: /Lobby/ })).toBeDefined()
  await userEvent.click(robot)
  expect(router.state.location.search).toBe('?deviceId=7')
})

test('put the page visited last first', async () => {
  const { router } = await show()
  const dialog = await open()
  await userEvent.type(dialog.getByRole('combobox'), 'mece{Enter}')
  await act(() => router.navigate('/here'))
  await open()
  expect(options()[0]).toBe('Message centre')
})

test('a key runs its action, except while somebody types', async () => {
  await show()
  const field = await screen.findByLabelText('Words')
  await userEvent.keyboard('f')
  expect(fit).toHaveBeenCalledOnce()
  await userEvent.type(field, 'f')
  expect(fit).toHaveBeenCalledOnce()
})

test('? shows the keys of the page', async () => {
  await show()
  await screen.findByLabelText('Words')
  await userEvent.keyboard('?')
  expect(within(await screen.findByRole('dialog')).getByText('Move inside map')).toBeDefined()
})

test('[const.x.hotkeys] [feat.header.hotkey_search] S opens the search once somebody wants it, Escape closes it; in a field S is a letter', async () => {
  await show()
  const field = await screen.findByLabelText('Words')
  await userEvent.keyboard('s')
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.keyboard('?')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'The key S opens the search, too' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await userEvent.keyboard('s')
  const dialog = await screen.findByRole('dialog')
  dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.type(field, 's')
  expect(screen.queryByRole('dialog')).toBeNull()
})

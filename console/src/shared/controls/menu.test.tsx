/** Menus, popovers and dialogs by keyboard and pointer, as WAI-ARIA describes them. */
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTexts } from '../i18n/i18n'
import { NOTICE_MS, notice } from '../ui/notice'
import { Dialog } from './dialog'
import { MenuButton, type MenuEntry } from './menu'
import { Popover } from './popover'
import { Toasts } from './toasts'

const FRAME_MS = 16 // the time begins with it
const ENTRIES: readonly MenuEntry[] = [
  { heading: 'Ann' },
  { key: 'colour', label: 'Colour', children: [{ key: 'red', label: 'Red', on: true }] },
  'line',
  { key: 'edit', label: 'Edit', disabled: true },
  { key: 'find', label: 'Find' },
  { key: 'leave', label: 'Leave' },
]

const onPick = vi.fn()
const focused = () => document.activeElement?.textContent

beforeAll(async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the language is read from it
  document.cookie = 'language=en'
  await startTexts([])
})
beforeEach(() => {
  onPick.mockClear()
  document.documentElement.dir = 'ltr'
})

async function openMenu() {
  render(
    <>
      <MenuButton aria-label="Account" entries={() => ENTRIES} onPick={onPick}>
        A
      </MenuButton>
      <p>elsewhere</p>
    </>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Account' }))
}

test('arrows skip what cannot be chosen, letters find, Enter chooses and gives the focus back', async () => {
  await openMenu()
  expect(focused()).toBe('Colour')
  await userEvent.keyboard('{ArrowDown}')
  expect(focused()).toBe('Find')
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  expect(focused()).toBe('Leave')
  await userEvent.keyboard('f')
  expect(focused()).toBe('Find')
  await userEvent.keyboard('{Enter}')
  expect(onPick.mock.calls).toEqual([['find']])
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Account' }))
})

test.each([
  ['ltr', '{ArrowRight}', '{ArrowLeft}'],
  ['rtl', '{ArrowLeft}', '{ArrowRight}'],
])('in %s the arrow along the line opens a choice within a choice, the other closes it', async (dir, into, back) => {
  document.documentElement.dir = dir
  await openMenu()
  await userEvent.keyboard(into)
  expect(document.activeElement).toBe(screen.getByRole('menuitemradio', { name: 'Red', checked: true }))
  await userEvent.keyboard(back)
  expect(screen.getAllByRole('menu')).toHaveLength(1)
  expect(focused()).toBe('Colour')
})

test('choose no disabled entry; close by Escape and by a press elsewhere', async () => {
  await openMenu()
  await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
  expect(onPick).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Account' }))
  await userEvent.click(screen.getByText('elsewhere'))
  expect(screen.queryByRole('menu')).toBeNull()
})

test('a popover stays while one works in it, and is closed by its button, by Escape and from inside', async () => {
  render(<Popover content={(close) => <input aria-label="name" onBlur={close} />}>Views</Popover>)
  const button = screen.getByRole('button', { name: 'Views' })
  await userEvent.click(button)
  await userEvent.type(screen.getByRole('textbox', { name: 'name' }), 'Night shift')
  expect(button.getAttribute('aria-expanded')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('textbox')).toBeNull()
  await userEvent.click(button)
  await userEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
})

test('a dialog has the name of its title, closes by its cross, and gives the focus back', async () => {
  const onClose = vi.fn()
  const before = render(<button type="button">opener</button>)
  screen.getByRole('button', { name: 'opener' }).focus()
  const { unmount } = render(
    <Dialog title="Leave?" footer={<button type="button">Yes</button>} onClose={onClose}>
      text
    </Dialog>,
  )
  screen.getByRole('dialog', { name: 'Leave?' })
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledOnce()
  unmount()
  expect(document.activeElement).toBe(before.getByRole('button', { name: 'opener' }))
})

test('a dialog gives the focus to its first field, else to the button that changes nothing', () => {
  const show = (content: string | React.ReactElement) =>
    render(
      <Dialog
        title="Rename"
        footer={
          <>
            <button type="button">Cancel</button>
            <button type="button">Save</button>
          </>
        }
        onClose={() => {}}
      >
        {content}
      </Dialog>,
    )
  const question = show('Sure?')
  expect(focused()).toBe('Cancel')
  question.unmount()
  show(
    <>
      <input disabled aria-label="serial" />
      <input aria-label="name" />
    </>,
  )
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'name' }))
})

test('a failure is an alert, anything else a status; both go by themselves', async () => {
  vi.useFakeTimers()
  try {
    render(<Toasts />)
    act(() => {
      notice('error', 'It did not work')
      notice('success', 'It is saved')
    })
    expect(screen.getByRole('alert').textContent).toBe('It did not work')
    expect(screen.getByRole('status').textContent).toBe('It is saved')
    act(() => void vi.advanceTimersByTime(NOTICE_MS + FRAME_MS))
    expect(screen.queryByRole('alert')).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

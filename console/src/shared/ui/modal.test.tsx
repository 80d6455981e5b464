/** A dialog gives the focus to its first field or to the button that changes nothing, and back to where it came from. */
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Modal } from './modal'

function Screen({
  children,
  leaves = false,
  onLeave,
}: {
  children: ReactNode
  leaves?: boolean
  onLeave?: () => void
}) {
  const [open, setOpen] = useState(false)
  return (
    <main tabIndex={-1}>
      {!(leaves && open) && (
        <button type="button" onClick={() => setOpen(true)}>
          open
        </button>
      )}
      {open && (
        <Modal open title="Robot" okText="Save" cancelText="Cancel" onCancel={() => setOpen(false)} onLeave={onLeave}>
          {children}
        </Modal>
      )}
    </main>
  )
}

const focused = () => document.activeElement
const open = () => userEvent.click(screen.getByRole('button', { name: 'open' }))

test('the first field that takes text has the focus', async () => {
  render(
    <Screen>
      <Input disabled aria-label="serial" />
      <Input aria-label="name" />
    </Screen>,
  )
  await open()
  await waitFor(() => expect(focused()).toBe(screen.getByLabelText('name')))
})

test('without a field, the button that changes nothing has it', async () => {
  render(<Screen>Sure?</Screen>)
  await open()
  await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'Cancel' })))
})

test('the focus goes back to what opened the dialog, or to the page where that is gone', async () => {
  const { unmount } = render(<Screen>Sure?</Screen>)
  await open()
  await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'Cancel' })))
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'open' })))
  unmount()
  render(<Screen leaves>Sure?</Screen>)
  await open()
  await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'Cancel' })))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(focused()?.tagName).not.toBe('INPUT')
})

test('ask before Escape discards typed text, and let Cancel discard it', async () => {
  render(
    <Screen>
      <Input aria-label="name" />
    </Screen>,
  )
  await open()
  await userEvent.type(screen.getByLabelText('name'), 'Ward')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(await screen.findByRole('button', { name: 'keep-typing' }))
  expect(screen.getByLabelText('name')).toHaveProperty('value', 'Ward')
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await userEvent.click(await screen.findByRole('button', { name: 'discard-draft' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await open()
  await userEvent.type(screen.getByLabelText('name'), 'Ward')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('discard a typed search without a question', async () => {
  render(
    <Screen>
      <form data-search>
        <Input aria-label="lines" />
      </form>
    </Screen>,
  )
  await open()
  await userEvent.type(screen.getByLabelText('lines'), 'status{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a dialog that keeps a draft does not ask', async () => {
  const left = vi.fn()
  render(
    <Screen onLeave={left}>
      <Input aria-label="name" />
    </Screen>,
  )
  await open()
  await userEvent.type(screen.getByLabelText('name'), 'Ward{Escape}')
  expect(left).toHaveBeenCalledOnce()
})

/** What was typed into a form that closed in passing is there again, for its account alone, until it is sent or given up. */
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { begin, end } from '@/shared/session/session'
import { onNotice } from '@/shared/ui/notice'
import { loadDraft, storeDraft } from './draft/drafts'
import type { FormField } from './fields'
import { FormDialog } from './form-dialog'

const FIELDS: readonly FormField[] = [
  { name: 'name', label: 'common:category' },
  { name: 'secret', label: 'common:password', kind: 'secret' },
]
const FORM = '/elevator/add'
const ACTION = { busy: false, late: [], problem: undefined, problemAt: () => undefined, reset: () => {} }
const account = (userId: number) => ({
  ...{ userId, token: 't', uuid: 'u', account: 'a', name: 'A', url: '', levelDepth: 1, shadowId: null },
  permissionBeans: [],
})

function Screen() {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        open
      </button>
      {open && (
        <FormDialog
          texts="common"
          title="Elevator"
          fields={FIELDS}
          limits={{}}
          options={{}}
          row={undefined}
          start={{ name: '', secret: '' }}
          draft={FORM}
          action={ACTION}
          onSend={close}
          onClose={close}
        />
      )}
    </>
  )
}

const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: /category$/ })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name: new RegExp(`${name}$`) }))
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const open = () => press('open')

async function leave() {
  render(<Screen />)
  await open()
  await userEvent.type(box(), 'Lift')
  await userEvent.type(screen.getByLabelText(/password$/), 'hush')
  await userEvent.keyboard('{Escape}')
  await closed()
}

beforeEach(() => begin(account(7)))
afterEach(() => {
  end()
  localStorage.clear()
  vi.useRealTimers()
})

test('a form that closes in passing keeps what was typed, says so, and holds no secret', async () => {
  const notices: string[] = []
  const stop = onNotice(({ text }) => notices.push(text))
  await leave()
  stop()
  expect(notices).toHaveLength(1)
  expect(JSON.stringify(loadDraft(FORM))).not.toContain('hush')
  await open()
  expect(box().value).toBe('Lift')
  expect(screen.getByRole('status').textContent).toContain('draft-left')
  await press('discard-draft')
  expect(box().value).toBe('')
  expect(loadDraft(FORM)).toBeUndefined()
})

test.each(['add', 'cancel'])('a form that is sent or given up leaves no draft: %s', async (button) => {
  await leave()
  await open()
  await press(button)
  await closed()
  expect(loadDraft(FORM)).toBeUndefined()
})

test('a draft is its account’s alone, for a week, and the newest thirty stay', () => {
  vi.useFakeTimers()
  storeDraft(FORM, 'seven')
  begin(account(8))
  expect(loadDraft(FORM)).toBeUndefined()
  begin(account(7))
  expect(loadDraft(FORM)?.value).toBe('seven')
  for (let place = 0; place < 30; place += 1) {
    vi.advanceTimersByTime(1)
    storeDraft(`form ${place}`, place)
  }
  expect(loadDraft(FORM)).toBeUndefined()
  vi.advanceTimersByTime(7 * 24 * 3600_000)
  expect(loadDraft('form 29')).toBeUndefined()
})

/** The difference is seen before it is saved; what two people drew otherwise is decided first; who is late looks again. */
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Line } from '@/canvas/document/document'
import { RelayRefusal } from '@/shared/relay/relay'
import { stage } from '@/widgets/testing/test-stage'
import { ChangesDialog } from './changes-dialog'
import type { Editing } from './session/use-editing'

afterEach(() => vi.unstubAllGlobals())

const wall = (name: string): Line => ({ id: name, kind: 'virtualWall', name, points: [] })
const added = { kind: 'added', mark: wall('W2') } as const
const renamed = { kind: 'changed', mark: wall('W1 door'), before: wall('W1') } as const

function show(change: Partial<Editing>, refused = false) {
  const editing = {
    ...{ changes: [], conflicts: [], merged: 0, busy: false, decide: vi.fn(), save: vi.fn(async () => true) },
    ...change,
  } as unknown as Editing
  const onClose = vi.fn()
  const Dialog = () => <ChangesDialog editing={editing} robot="Kestrel 3" refused={refused} onClose={onClose} />
  return stage(Dialog, { at: '/', answers: {} }).then(() => ({ editing, onClose }))
}
const save = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Save to robot' })
const lines = () =>
  within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .map((button) => button.textContent)

test('list each change before it is saved', async () => {
  const { editing, onClose } = await show({ changes: [added, renamed] })
  const button = await save()
  expect(lines()).toEqual(['AddedVirtual wallW2', 'ChangedVirtual wallW1 → W1 door'])
  await userEvent.click(button)
  expect(editing.save).toHaveBeenCalledOnce()
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

test('save nothing without a change, or while a change is invalid', async () => {
  await show({})
  expect((await save()).disabled).toBe(true)
})

test('lead to the refused part first', async () => {
  await show({ changes: [added] }, true)
  expect((await save()).disabled).toBe(true)
  screen.getByText('Fix the marked elements first.')
})

test.each([
  ['Keep yours', true],
  ['Use theirs', false],
])('decide conflicts before anything is saved: %s', async (choice, keepOurs) => {
  const conflict = { id: 'W1', ours: wall('W1 mine'), theirs: wall('W1 theirs') }
  const { editing } = await show({ changes: [added], conflicts: [conflict], merged: 8 })
  expect((await save()).disabled).toBe(true)
  screen.getByText('Version 8, saved by someone else, was merged into your drawing.')
  await userEvent.click(screen.getByRole('button', { name: choice }))
  expect(editing.decide).toHaveBeenCalledWith(conflict, keepOurs)
})

test.each([
  ['somebody was quicker', async () => false, /Someone else saved this map/],
  [
    'the robot refuses',
    () => Promise.reject(new RelayRefusal(409, '', 'map.task_running', 'map_name')),
    /A task is running/,
  ],
])('%s: it stays open and says why', async (_, answer, why) => {
  const { onClose } = await show({ changes: [added], save: answer })
  await userEvent.click(await save())
  expect((await screen.findByRole('alert')).textContent).toMatch(why)
  expect(onClose).not.toHaveBeenCalled()
})

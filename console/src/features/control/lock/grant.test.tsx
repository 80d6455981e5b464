/** A grant carries the number of the control lock: who takes control drives on with a new one. */
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Control } from '@/shared/live/frames'
import { relayCall } from '@/shared/relay/relay'
import { stage } from '@/widgets/testing/test-stage'
import { useLock } from './lock'

afterEach(() => vi.unstubAllGlobals())

const FREE: Control = { owner: '', ownerId: null, until: 0, number: 1, reason: '', asker: '', askerId: 0, askedAt: 0 }

function Lock() {
  const lock = useLock(1, Date.now())
  return (
    <>
      <button type="button" onClick={() => void relayCall(1, 'task_state')}>
        {lock.inControl ? 'mine' : 'free'}
      </button>
      <button type="button" onClick={() => lock.take(10)}>
        take
      </button>
    </>
  )
}

test('taking control forgets the grant of before', async () => {
  let control = FREE
  const { of } = await stage(Lock, {
    at: '/control',
    answers: {
      '/device/control': () => control,
      '/device/takeControl': () => {
        control = { ...FREE, owner: 'User', ownerId: 3, until: Date.now() + 600_000, number: 2 }
        return control
      },
      '/device/relayGrant': () => ({
        ...{ url: 'http://relay', port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 1 },
      }),
      'http://relay/?m=api1/task_state&p=7': () => Response.json({ code: 0, msg: '' }),
    },
  })
  const grants = () => of('/device/relayGrant').length
  const commands = () => of('http://relay/?m=api1/task_state&p=7').length
  await userEvent.click(await screen.findByRole('button', { name: 'free' }))
  await waitFor(() => expect(commands()).toBe(1))
  await userEvent.click(screen.getByRole('button', { name: 'free' }))
  await waitFor(() => expect(commands()).toBe(2))
  expect(grants()).toBe(1)
  await userEvent.click(screen.getByRole('button', { name: 'take' }))
  await userEvent.click(await screen.findByRole('button', { name: 'mine' }))
  await waitFor(() => expect(commands()).toBe(3))
  expect(grants()).toBe(2)
})

/** A robot's mark, wherever it stands, opens one card: what the robot does, and what may be done with it at once. */
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import type { Seen } from '@/shared/live/store'
import { device, refusal, stage } from '@/widgets/testing/test-stage'
import { RobotButton } from './robot-button'

const RELAY = 'http://relay'
const grant = { url: RELAY, port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 1 }
const obeyed = () => Response.json({ code: 0, msg: '' })

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const RUN = { mode: 'cleaning', run: 'r1', taskName: 'Lobby', progress: 0.4, battery: 71 }

async function show(change: object, keys = ['device_control/index', 'device/info'], answers: object = {}) {
  const row = { ...device(1, { ...RUN, ...change }) }
  vi.spyOn(live, 'robot').mockReturnValue({ row, receivedAt: Date.now() } as unknown as Seen)
  const requests = await stage(() => <RobotButton deviceId={1} label="Kestrel 1: Cleaning" />, {
    at: '/index',
    keys,
    answers: {
      '/device/selectDeviceByDeviceId': row,
      '/device/relayGrant': grant,
      ...{ '/device/control': { mine: false }, '/device/takeControl': {}, '/device/releaseControl': {} },
      ...{ [`${RELAY}/?m=api1/task_pause&p=7`]: obeyed, [`${RELAY}/?m=api1/go_home&p=7`]: obeyed },
      ...answers,
    },
  })
  return { ...requests, mark: await screen.findByRole('button', { name: 'Kestrel 1: Cleaning' }) }
}

async function opened(...given: Parameters<typeof show>) {
  const stands = await show(...given)
  await userEvent.click(stands.mark)
  const card = await screen.findByRole('dialog', { name: 'Kestrel 1: Cleaning' })
  await within(card).findByRole('heading', { name: 'Kestrel 1' })
  const names = () =>
    within(card)
      .queryAllByRole('button')
      .map((button) => button.textContent)
  return { ...stands, card, names }
}

test('a press opens the card: name, state, task with its progress, and the way to the control page', async () => {
  const { card, names } = await opened({})
  within(card).getByText('Lobby')
  within(card).getByText('40%')
  expect(names()).toEqual(['Pause', 'Return to charge'])
  expect(within(card).getByRole('link', { name: 'Control' }).getAttribute('href')).toBe('/control/v3/1')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a pointer that rests opens it, one that leaves closes it unless it goes to the card', async () => {
  const { mark } = await show({})
  const box = mark.parentElement as HTMLElement
  fireEvent.pointerEnter(box, { pointerType: 'mouse' })
  const card = await screen.findByRole('dialog')
  fireEvent.pointerLeave(box, { pointerType: 'mouse' })
  fireEvent.pointerEnter(card, { pointerType: 'mouse' })
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).not.toBeNull())
  fireEvent.pointerLeave(box, { pointerType: 'mouse' })
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each([
  ['of whoever may not control', {}, ['device/index'], [], false],
  ['of a paused robot', { mode: 'paused' }, ['device_control/index'], ['Resume', 'Return to charge'], true],
  ['of one that charges', { mode: 'charging', run: '', charging: true }, ['device_control/index'], [], true],
  ['of one that has no such command', { commands: ['task_pause'] }, ['device_control/index'], ['Pause'], true],
  ['of one under emergency stop', { mode: 'emergency' }, ['device_control/index'], [], true],
  ['of one that is offline', { mode: 'offline', run: '' }, ['device_control/index'], [], false],
])('the card %s offers what can be done', async (_, change, keys, offered, controls) => {
  const { card, names } = await opened(change, keys)
  expect(names()).toEqual(offered)
  expect(within(card).queryByRole('link', { name: 'Control' }) !== null).toBe(controls)
})

test('pausing asks for no control', async () => {
  const { card, of } = await opened({})
  await userEvent.click(within(card).getByRole('button', { name: 'Pause' }))
  await vi.waitFor(() => expect(of(`${RELAY}/?m=api1/task_pause&p=7`)).toHaveLength(1))
  expect(of('/device/takeControl')).toHaveLength(0)
})

test('take control only for commands that move the robot', async () => {
  const { card, of } = await opened({})
  await userEvent.click(within(card).getByRole('button', { name: 'Return to charge' }))
  await vi.waitFor(() => expect(of('/device/releaseControl')).toHaveLength(1))
  expect(of(`${RELAY}/?m=api1/go_home&p=7`)).toHaveLength(1)
})

test('while somebody else has control, the card says who', async () => {
  const { card } = await opened({}, undefined, { '/device/takeControl': () => refusal('Orla has control') })
  await userEvent.click(within(card).getByRole('button', { name: 'Return to charge' }))
  expect((await within(card).findByRole('alert')).textContent).toContain('Orla has control')
})

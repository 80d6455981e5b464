/** Starting from the list: control is taken if it is free, never from somebody, and a wet floor is warned of. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { forgetGrant } from '@/shared/relay/relay'
import { stage } from '@/widgets/testing/test-stage'
import { StartDialog } from './start-dialog'

afterEach(() => vi.unstubAllGlobals())

const OWNER = {
  deviceId: 1,
  deviceCode: 'Kestrel L1-A',
  protocolVersion: 3,
  abilities: [],
  commands: null,
  customerName: '',
  online: true,
}
const FREE = { owner: '', ownerId: null, until: 0, number: 3, reason: '', asker: '', askerId: 0, askedAt: 0 }
const THEIRS = { ...FREE, owner: 'Mira', ownerId: 9, until: Date.now() + 600_000 }
const START = 'http://relay/?m=api1/task_start&p=7'

async function dialog(control: object, wet: boolean, answer: object = { code: 0, msg: '', run: 'r1' }) {
  forgetGrant(1)
  const onClose = vi.fn()
  const rendered = await stage(
    () => <StartDialog owner={OWNER} startable={{ name: 'Lobby', map_name: 'floor 1' }} onClose={onClose} />,
    {
      at: '/device/taskList',
      keys: ['device/taskList', 'device_control/index', 'device/report'],
      answers: {
        '/device/control': control,
        '/device/takeControl': { ...FREE, number: 4 },
        '/taskReport/wetFloors': { list: wet ? ['floor 1'] : ['floor 2'] },
        '/device/relayGrant': {
          ...{ url: 'http://relay', port: 7, protocol: 3, grant: 'g', number: 4 },
          expiresAt: Date.now() + 60_000,
        },
        [START]: () => Response.json(answer),
      },
    },
  )
  const start = await screen.findByRole<HTMLButtonElement>('button', { name: /start$/ })
  return { ...rendered, start, onClose }
}

test('free control is taken for ten minutes and the task begins', async () => {
  const { of, start, onClose } = await dialog(FREE, false)
  await vi.waitFor(() => expect(start.disabled).toBe(false))
  expect(screen.queryByText(/before the floor is dry/)).toBeNull()
  await userEvent.click(start)
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(of('/device/takeControl')[0]?.payload).toEqual({ deviceId: 1, minutes: 10 })
  expect(of(START)[0]?.payload).toEqual({ name: 'Lobby', map_name: 'floor 1' })
})

test('[rule.warning.wet_floor, err.text.warn_wet_floor] warn at the start of a task on a wet floor', async () => {
  await dialog(FREE, true)
  await screen.findByText('Running a task before the floor is dry may reduce efficiency')
})

test('nobody’s control is taken away', async () => {
  const { start } = await dialog(THEIRS, false)
  await screen.findByText(/Mira has control until/)
  expect(start.disabled).toBe(true)
})

test('show what the robot refuses', async () => {
  const { start, onClose } = await dialog(FREE, false, { code: 409, msg: '', reason: 'brake_set' })
  await vi.waitFor(() => expect(start.disabled).toBe(false))
  await userEvent.click(start)
  await screen.findByText('The brake is on. Release it first')
  expect(onClose).not.toHaveBeenCalled()
})

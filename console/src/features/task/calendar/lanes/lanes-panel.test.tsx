/** Two robots that want one elevator: the later one's schedule is moved at the robot, or it is left to wait. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import { forgetGrant } from '@/shared/relay/relay'
import { stage } from '@/widgets/testing/test-stage'
import type { Calendar } from '../week'
import type { Ride } from './lanes'
import { LanesPanel } from './lanes-panel'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const ZONE = 'Europe/London'
const START = '2026-11-22T22:12:00Z'
const occurrence = (deviceId: number, start: string): Calendar['list'][number] => ({
  ...{ deviceId, deviceCode: `R${deviceId}`, building: 'Hotel', kind: 'elevator_timetask', schedule: 'Night' },
  ...{ day: '2026-11-22', start, end: null, zone: ZONE, state: 'planned', reason: '', seconds: 1800 },
  ...{ conflict: 'lift', units: [] },
})
const RIDE: Ride = {
  ...{ deviceId: 2, deviceCode: 'R2', kind: 'elevator_timetask', schedule: 'Night', occurrence: START },
  ...{ elevatorName: 'Lift 2', start: START, until: '2026-11-22T22:16:00Z', wait: 60 },
  ...{ otherId: 1, otherCode: 'R1', moveTo: '22-20' },
}
const CALENDAR: Calendar = {
  runs: [],
  robots: [1, 2].map((deviceId) => ({
    ...{ deviceId, deviceCode: `R${deviceId}`, typeName: '', building: 'Hotel', zone: ZONE },
    ...{ protocolVersion: 3, commands: null },
  })),
  list: [occurrence(1, '2026-11-22T22:10:00Z'), occurrence(2, START)],
  rides: [RIDE],
}
const NIGHT = {
  ...{ name: 'Night', start_time: '22-12', days: [7], enable: 1, forced_end: 0, end_time: '', skips: ['2026-12-06'] },
  ...{ charge_below: 20, revision: 4, top: 0, next: 1, state: '', reason: '', elevator_id: 'KQ-B' },
  floors: [{ map_name: 'floor 2', task_list: ['Hall'] }],
}

async function panel(online: boolean) {
  forgetGrant(2)
  if (online) vi.spyOn(live, 'robot').mockReturnValue({ row: { mode: 'idle' } } as ReturnType<typeof live.robot>)
  const respond = (answer: object) => () => Response.json({ code: 0, msg: '', ...answer })
  const rendered = await stage(
    () => (
      <LanesPanel calendar={CALENDAR} day="2026-11-22" zone={ZONE} now={0} tones={new Map()} modeOf={() => undefined} />
    ),
    {
      at: '/device/taskList',
      keys: ['device/taskList'],
      answers: {
        '/task/plans': {
          list: [{ kind: 'elevator_timetask', name: 'Night', revision: 5, content: NIGHT, updateTime: START }],
        },
        '/device/relayGrant': {
          ...{ url: 'http://relay', port: 7, protocol: 3, grant: 'g', number: 0 },
          expiresAt: Date.now() + 60_000,
        },
        'http://relay/?m=api1/timetask_list&p=7': respond({ timetask_info: [] }),
        'http://relay/?m=api1/elevator_timetask_list&p=7': respond({ timetask_info: [NIGHT] }),
        'http://relay/?m=api1/elevator_timetask_modofied&p=7': respond({ revision: 5 }),
      },
    },
  )
  const move = await screen.findByRole<HTMLButtonElement>('button', { name: 'Move R2 to 22:20' })
  return { ...rendered, move }
}

test('moving says which days it changes, and sends the proposed start with the days that are skipped', async () => {
  const { of, move } = await panel(true)
  await vi.waitFor(() => expect(move.disabled).toBe(false))
  await userEvent.click(move)
  screen.getByText('“Night” starts at 22:12 on these days: Sun.')
  screen.getByText('From now on it starts at 22:20 on each of these days, every week.')
  expect(of('http://relay/?m=api1/elevator_timetask_modofied&p=7')).toHaveLength(0)
  await userEvent.click(screen.getByRole('button', { name: 'Move' }))
  await vi.waitFor(() => expect(of('http://relay/?m=api1/elevator_timetask_modofied&p=7')).toHaveLength(1))
  const { payload } = of('http://relay/?m=api1/elevator_timetask_modofied&p=7')[0] ?? { payload: {} }
  expect(payload).toMatchObject({ name: 'Night', start_time: '22-20', revision: 4, skips: ['2026-12-06'] })
  expect(payload).not.toHaveProperty('next')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('change nothing when leaving the preview of changed days', async () => {
  const { of, move } = await panel(true)
  await vi.waitFor(() => expect(move.disabled).toBe(false))
  await userEvent.click(move)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(of('http://relay/?m=api1/elevator_timetask_modofied&p=7')).toHaveLength(0)
})

test('a robot that does not answer cannot be moved; it is left to wait, and then nothing is asked any more', async () => {
  const { move } = await panel(false)
  expect(move.disabled).toBe(true)
  screen.getByText('R2 would wait 1 min')
  await userEvent.click(screen.getByRole('button', { name: 'Keep both times' }))
  screen.getByText('R2 waits 1 min')
  expect(screen.queryByRole('button', { name: 'Keep both times' })).toBeNull()
})

/** One start of a schedule at another day and time, alone or with all to come; it can be taken back. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import { forgetGrant } from '@/shared/relay/relay'
import { type Notice, onNotice } from '@/shared/ui/notice'
import { stage } from '@/widgets/testing/test-stage'
import type { Occurrence } from '../week'
import { MoveDialog } from './move-dialog'

const notices: Notice[] = []
const forget = onNotice((notice) => notices.push(notice))

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  notices.length = 0
  return forget
})

const OCCURRENCE: Occurrence = {
  ...{ deviceId: 2, deviceCode: 'R2', building: 'Hotel', kind: 'timetask', schedule: 'Night', day: '2036-11-26' },
  ...{ start: '2036-11-26T22:00:00Z', end: null, zone: 'Europe/London', state: 'planned', reason: '', seconds: 60 },
  ...{ conflict: '', units: [] },
}
const NIGHT = {
  ...{ name: 'Night', start_time: '22-00', days: [3], enable: 1, forced_end: 0, end_time: '', skips: [], moves: [] },
  ...{ charge_below: 20, revision: 4, top: 0, next: 1, state: '', reason: '', map_name: 'floor', task_list: ['Hall'] },
}
const EDIT = 'http://relay/?m=api1/timetask_edit&p=7'

async function dialog(schedule: object, start = OCCURRENCE.start, plans: unknown = { list: [] }) {
  forgetGrant(2)
  vi.spyOn(live, 'robot').mockReturnValue({ row: { mode: 'idle' } } as ReturnType<typeof live.robot>)
  const respond = (answer: object) => () => Response.json({ code: 0, msg: '', ...answer })
  const close = vi.fn()
  const rendered = await stage(() => <MoveDialog occurrence={{ ...OCCURRENCE, start }} shift={1} onClose={close} />, {
    at: '/device/taskList',
    keys: ['device/taskList'],
    answers: {
      '/task/plans': plans,
      '/device/relayGrant': {
        ...{ url: 'http://relay', port: 7, protocol: 3, grant: 'g', number: 0 },
        expiresAt: Date.now() + 60_000,
      },
      'http://relay/?m=api1/timetask_list&p=7': respond({ timetask_info: [schedule] }),
      'http://relay/?m=api1/elevator_timetask_list&p=7': respond({ timetask_info: [] }),
      [EDIT]: respond({ revision: 5, next: 1 }),
    },
  })
  const move = await screen.findByRole<HTMLButtonElement>('button', { name: 'Move' })
  const sent = () => of(EDIT).map(({ payload }) => payload)
  const { of } = rendered
  return { sent, move, close }
}

test('alone it stands where it was dropped, and undo sends the schedule as it was', async () => {
  const { sent, move, close } = await dialog(NIGHT)
  await vi.waitFor(() => expect(move.disabled).toBe(false))
  await userEvent.click(move)
  await vi.waitFor(() => expect(close).toHaveBeenCalled())
  const moves = [{ day: '2036-11-26', to: '2036-11-27', start_time: '22-00' }]
  expect(sent()[0]).toMatchObject({ days: [3], start_time: '22-00', revision: 4, moves })
  notices.at(-1)?.undo?.run()
  await vi.waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent()[1]).toMatchObject({ days: [3], start_time: '22-00', revision: 5, moves: [] })
})

test('all to come change their day of the week', async () => {
  const { sent, move } = await dialog(NIGHT)
  await vi.waitFor(() => expect(move.disabled).toBe(false))
  await userEvent.click(screen.getByRole('radio', { name: 'All to come' }))
  await userEvent.click(move)
  await vi.waitFor(() => expect(sent()[0]).toMatchObject({ days: [4], start_time: '22-00', moves: [] }))
})

test('a robot that lists no moves moves all', async () => {
  const { moves, ...older } = NIGHT
  const { move } = await dialog(older)
  await vi.waitFor(() => expect(move.disabled).toBe(false))
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Only this one' }).disabled).toBe(true)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'All to come' }).checked).toBe(true)
})

test('refuse to move an occurrence into the past', async () => {
  const { move } = await dialog(NIGHT, '2020-11-25T22:00:00Z')
  await screen.findByText('This time has passed')
  expect(move.disabled).toBe(true)
})

// A look that fails and that nobody catches fails the run.
test('a server out of reach is asked again for what the robot did', async () => {
  let looks = 0
  const plans = () => {
    looks += 1
    if (looks < 5) throw new TypeError('network')
    return { list: [{ kind: 'timetask', name: 'Night', revision: 5 }] }
  }
  const { move } = await dialog(NIGHT, OCCURRENCE.start, plans)
  await vi.waitFor(() => expect(move.disabled).toBe(false))
  await userEvent.click(move)
  await vi.waitFor(() => expect(looks).toBeGreaterThanOrEqual(5))
})

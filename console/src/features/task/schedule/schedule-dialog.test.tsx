/** The dialog of a schedule offers what the robot has commands for. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { live } from '@/shared/live/live'
import type { Seen } from '@/shared/live/store'
import { stage } from '@/widgets/testing/test-stage'
import type { Listed } from '../schedules'
import { type Choice, ScheduleDialog } from './schedule-dialog'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const robot = (deviceId: number, commands: string[] | null): Choice => ({
  ...{ deviceId, deviceCode: `R${deviceId}`, building: 'Hotel', zone: 'UTC', protocolVersion: 3, commands },
})
const SCHEDULE = {
  ...{ kind: 'timetask', name: 'Evening', revision: 1, days: [1], start_time: '22-00', forced_end: 0, end_time: '' },
  ...{ enable: 1, zone: 'UTC', skips: [], charge_below: 20, map_name: 'floor', task_list: ['Lobby'] },
} as unknown as Listed

function show(robots: readonly Choice[], given: { deviceId?: number; schedule?: Listed } = {}) {
  vi.spyOn(live, 'robot').mockReturnValue({ row: { mode: 'offline' }, receivedAt: 0 } as Seen)
  const Dialog = () => (
    <ScheduleDialog robots={robots} deviceId={given.deviceId} schedule={given.schedule} onClose={() => {}} />
  )
  return stage(Dialog, { at: '/', answers: { '/task/elevators': { list: [] } } })
}

test('only robots that take schedules can be chosen', async () => {
  await show([robot(1, ['task_list']), robot(2, ['timetask_save']), robot(3, null)])
  await userEvent.click(await screen.findByRole('combobox', { name: 'Robot' }))
  const offered = await screen.findAllByRole('option')
  expect(offered.map((option) => option.textContent ?? option.getAttribute('aria-label'))).not.toContain('R1')
  expect(document.body.textContent).toContain('R2')
  expect(document.body.textContent).not.toContain('R1')
})

test.each([
  ['both kinds', null, true, false],
  ['one floor alone', ['timetask_save'], false, false],
  ['several floors alone', ['elevator_timetask_add'], false, true],
])('of a robot with %s the choice between one floor and several fits', async (_, commands, choice, elevators) => {
  await show([robot(1, commands)])
  await screen.findByRole('dialog')
  expect(screen.queryByRole('switch', { name: 'Several floors, by elevator' }) !== null).toBe(choice)
  expect(screen.queryByRole('combobox', { name: 'Elevator' }) !== null).toBe(elevators)
})

test.each([
  [['timetask_edit', 'timetask_rename'], false],
  [['timetask_edit'], true],
])('a name that the robot cannot change stays: %s', async (commands, fixed) => {
  await show([robot(1, commands)], { deviceId: 1, schedule: SCHEDULE })
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })
  expect(name.disabled).toBe(fixed)
})

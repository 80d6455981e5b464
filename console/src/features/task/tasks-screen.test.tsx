/** The calendar as a person reads it: robots by days, what is chosen in the address, and what stands apart alone. */
import { fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { stage } from '@/widgets/testing/test-stage'
import { TasksScreen } from './tasks-screen'

afterEach(() => vi.unstubAllGlobals())

const occurrence = (change: Record<string, unknown>) => ({
  ...{ deviceId: 1, deviceCode: 'Kestrel L1-A', building: 'Hotel', kind: 'timetask', schedule: 'Lobby' },
  ...{ day: '2026-11-18', start: '2026-11-18T22:00:00Z', end: null, zone: 'Europe/London', state: 'planned' },
  ...{ reason: '', seconds: 3600, conflict: '', units: [] },
  ...change,
})
const unit = (coverage: number | null) => ({
  ...{ mapName: 'floor 1', task: 'Lobby', run: 'r1', reason: '', taskReportId: 7, coverage },
})
const ROBOTS = [1, 2].map((deviceId) => ({
  ...{ deviceId, deviceCode: `Kestrel L1-${'AB'[deviceId - 1]}`, typeName: 'Scrub 50' },
  ...{ building: 'Hotel', zone: 'Europe/London', protocolVersion: 3, commands: null as string[] | null },
}))
const RUN = {
  ...{ taskReportId: 9, deviceId: 1, task: 'Spill', mapName: 'floor 1', result: 'finished', coverage: 0.9 },
  ...{ start: '2026-11-17T09:00:00Z', end: '2026-11-17T09:10:00Z' },
}
const ANSWERS = {
  '/task/buildings': { list: [{ building: 'Hotel', robots: 2, zone: 'Europe/London' }] },
  '/task/calendar': {
    rides: [],
    runs: [RUN],
    robots: ROBOTS,
    list: [
      occurrence({ start: '2026-11-17T22:00:00Z', state: 'done', units: [unit(0.97)] }),
      occurrence({ start: '2026-11-16T22:00:00Z', state: 'missed', reason: 'robot_off' }),
      occurrence({ conflict: 'overlap' }),
    ],
  },
  '/task/plans': { list: [] },
}
const AT = '/device/taskList?day=2026-11-18'
const KEYS = ['device/taskList', 'device/report', 'device/index']

const cell = async (robot: string, day: number) => {
  const table = await screen.findByRole('table', { name: 'Schedule calendar' })
  const row = within(table).getByRole('row', { name: new RegExp(robot) })
  return within(row).getAllByRole('cell')[day]
}

test('the week of a building is asked for in its zone, and idle robots are shown too', async () => {
  const { of } = await stage(TasksScreen, { at: AT, answers: ANSWERS, keys: KEYS })
  expect((await cell('Kestrel L1-A', 1))?.textContent).toContain('22:00 Lobby, Completed, Coverage 97')
  expect((await cell('Kestrel L1-A', 0))?.textContent).toContain('Missed')
  expect((await cell('Kestrel L1-B', 0))?.textContent).toBe('')
  expect(of('/task/calendar')[0]?.payload).toEqual({
    ...{ building: 'Hotel', zone: 'Europe/London', startDate: '2026-11-16', endDate: '2026-11-22' },
  })
  screen.getByText('2 runs so far')
  screen.getByText('1 to come')
  const byHand = screen.getByRole('link', { name: /Spill, no schedule$/ })
  expect(byHand.getAttribute('href')).toBe('/device/report/9')
  screen.getByText(/^Missed: 1 · The robot was powered off/)
})

test('filter the calendar by conflicts, and put the filter into the address', async () => {
  const { router } = await stage(TasksScreen, { at: AT, answers: ANSWERS, keys: KEYS })
  await userEvent.click(await screen.findByRole('button', { name: /Conflicts: 1/ }))
  expect((await cell('Kestrel L1-A', 2))?.textContent).toContain('Conflict')
  expect((await cell('Kestrel L1-A', 1))?.textContent).toBe('')
  expect(router.state.location.search).toBe('?day=2026-11-18&only=conflict')
})

test('a week back and the present day are asked for and stand in the address', async () => {
  const { of, router } = await stage(TasksScreen, { at: AT, answers: ANSWERS, keys: KEYS })
  await cell('Kestrel L1-A', 0)
  await userEvent.click(screen.getByRole('button', { name: 'Previous week' }))
  expect(router.state.location.search).toBe('?day=2026-11-09')
  await cell('Kestrel L1-A', 0)
  expect(of('/task/calendar').at(-1)?.payload.startDate).toBe('2026-11-09')
  await userEvent.click(screen.getByRole('button', { name: 'Today' }))
  expect(router.state.location.search).toBe('')
})

test('an occurrence says why it was missed; who has no key for reports gets no link to one', async () => {
  await stage(TasksScreen, { at: AT, answers: ANSWERS, keys: ['device/taskList'] })
  await userEvent.click(await screen.findByRole('button', { name: /Missed$/ }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/The robot was powered off/)
  expect(within(dialog).queryByRole('link')).toBeNull()
})

test('a robot is chosen by the address; without one the screen says what to do', async () => {
  await stage(TasksScreen, { at: '/device/taskList?by=robot', answers: ANSWERS, keys: KEYS })
  await screen.findByText('Choose a robot to see its tasks and schedules.')
})

test('of a robot the page leaves out the lists and buttons that it has no command for', async () => {
  const device = { deviceId: 1, deviceCode: 'Kestrel L1-A', protocolVersion: 3, abilities: [], zone: 'UTC' }
  const commands = ['timetask_list', 'task_list', 'task_del']
  const answers = {
    ...ANSWERS,
    '/device/selectDeviceByDeviceId': { ...device, customerName: '', commands },
    '/device/selectDevicePc': { list: [], total: 0, pageNum: 0, counts: {} },
    '/task/mirror': { list: [] },
  }
  await stage(TasksScreen, { at: `${AT}&by=robot&deviceId=1&part=tasks`, answers, keys: KEYS })
  expect(await screen.findByRole('button', { name: 'Schedules' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Task groups' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Hand-drawn paths' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Schedule task' })).toBeNull()
})

test.each([
  [null, true],
  [['timetask_list', 'timetask_edit', 'timetask_cancel'], true],
  [['timetask_list'], false],
])('an occurrence under way is cancelled where the robot has the command: %s', async (commands, offered) => {
  const calendar = ANSWERS['/task/calendar']
  const list = [occurrence({ state: 'running' })]
  const robots = ROBOTS.map((robot) => ({ ...robot, commands }))
  await stage(TasksScreen, {
    at: AT,
    answers: { ...ANSWERS, '/task/calendar': { ...calendar, list, robots } },
    keys: KEYS,
  })
  await userEvent.click(await screen.findByRole('button', { name: /Lobby/ }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).queryByRole('button', { name: 'Cancel this run' }) !== null).toBe(offered)
})

const COMING = { start: '2036-11-18T22:00:00Z', day: '2036-11-18', schedule: 'Hall' }
const COMING_AT = '/device/taskList?day=2036-11-18'
const coming = () => ({ ...ANSWERS, '/task/calendar': { ...ANSWERS['/task/calendar'], list: [occurrence(COMING)] } })

test('an empty cell makes a schedule of its robot and its day of the week', async () => {
  await stage(TasksScreen, { at: COMING_AT, answers: coming(), keys: KEYS })
  const wednesday = (await cell('Kestrel L1-B', 2)) as HTMLElement
  await userEvent.click(within(wednesday).getByRole('button', { name: /^Schedule task: Kestrel L1-B/ }))
  const dialog = await screen.findByRole('dialog')
  const checked = within(dialog)
    .getAllByRole<HTMLInputElement>('checkbox')
    .flatMap((box, n) => (box.checked ? [n + 1] : []))
  expect(checked).toEqual([3])
})

test('a coming start is dragged to another day of its own robot, and asks how far the move reaches', async () => {
  await stage(TasksScreen, { at: COMING_AT, answers: coming(), keys: KEYS })
  const tuesday = (await cell('Kestrel L1-A', 1)) as HTMLElement
  fireEvent.dragStart(within(tuesday).getByRole('button', { name: /22:00 Hall/ }))
  fireEvent.drop((await cell('Kestrel L1-B', 3)) as HTMLElement)
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.drop((await cell('Kestrel L1-A', 3)) as HTMLElement)
  await screen.findByText('Move “Hall” of Kestrel L1-A')
  screen.getByDisplayValue('2036-11-20')
})

test('stack the days where there is no room for a table', async () => {
  const narrow = { matches: true, addEventListener: () => {}, removeEventListener: () => {} }
  vi.stubGlobal('matchMedia', () => narrow)
  await stage(TasksScreen, { at: AT, answers: ANSWERS, keys: KEYS })
  const days = await screen.findByRole('list', { name: 'Schedule calendar' })
  within(days).getByRole('heading', { name: 'Tue 17' })
  expect(within(days).getAllByText('Nothing on this day').length).toBe(4)
})

/** Who may do what on the control page: everybody who sees it may stop; what moves the robot wants control, and its key. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { LiveRow } from '@/shared/live/frames'
import { stage } from '@/widgets/test-stage'
import type { Deeds } from './deeds'
import { RunDock } from './run-dock'
import { StopButton } from './stop-button'
import { TaskPanel } from './task-panel'

afterEach(() => vi.unstubAllGlobals())

const told: string[] = []
const deed = (name: string) => async () => told.push(name) > 0
const names = ['start', 'pause', 'resume', 'cancel', 'home', 'emergencyStop', 'releaseStop', 'load', 'send'] as const
const deeds = Object.fromEntries(names.map((name) => [name, deed(name)])) as unknown as Deeds

const row = (change: Partial<LiveRow> = {}) =>
  ({
    ...{ id: 1, mode: 'cleaning', run: 'r1', taskName: 'Lobby', mapName: 'floor', progress: 0.5, charging: false },
    ...{ cleaned: 10, planned: 20, remainingS: 60, help: '' },
    ...change,
  }) as LiveRow

const show = (Part: () => React.ReactNode, answers: Record<string, unknown> = {}, keys?: string[]) => {
  told.length = 0
  return stage(Part, { at: '/control', answers, ...(keys && { keys }) })
}
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name })

test('emergency stop needs no control; releasing it moves the robot again, so that does', async () => {
  await show(() => <StopButton row={row()} mine={false} deeds={deeds} />)
  await userEvent.click(await button('Emergency stop'))
  expect(told).toEqual(['emergencyStop'])
})

test.each([true, false])('release of the emergency stop, with control: %s', async (mine) => {
  await show(() => <StopButton row={row({ mode: 'emergency' })} mine={mine} deeds={deeds} />)
  const release = await button('Release emergency stop')
  expect(release.disabled).toBe(!mine)
  expect(release.title).toBe(mine ? '' : 'Take control first.')
})

test('everybody may pause and stop the task, by key too; nobody drives without control', async () => {
  await show(() => <RunDock row={row()} mine={false} deeds={deeds} />)
  await userEvent.click(await button(/^Pause/))
  await userEvent.click(await button('Stop task'))
  ;(document.activeElement as HTMLElement).blur()
  await userEvent.keyboard(' ')
  expect(told).toEqual(['pause', 'cancel', 'pause'])
  expect((await button('To charger')).disabled).toBe(true)
})

test('a paused task goes on for the holder of control alone, by key too', async () => {
  await show(() => <RunDock row={row({ mode: 'paused' })} mine={false} deeds={deeds} />)
  expect((await button('Resume')).disabled).toBe(true)
  await userEvent.keyboard(' ')
  expect(told).toEqual([])
})

const TASK = {
  ...{ name: 'Lobby', map_name: 'floor', areas: [], clean_mode: 'clean', task_mode: 'normal', route: 'bow' },
  ...{ speed: 'middle', hard_floor: true, start: null },
}
const RELAY = {
  '/device/relayGrant': {
    url: 'http://relay',
    port: 7,
    protocol: 3,
    grant: 'g',
    expiresAt: Date.now() + 60_000,
    number: 0,
  },
  'http://relay/?m=api1/task_list&p=7': () => Response.json({ code: 0, msg: '', task_list: [TASK] }),
}
const panel = (mine: boolean, change: Partial<LiveRow> = { run: '' }) =>
  function Panel() {
    return (
      <TaskPanel
        deviceId={1}
        row={row(change)}
        mine={mine}
        deeds={deeds}
        shown={undefined}
        onShow={() => {}}
        onNew={() => {}}
      />
    )
  }

test('without the key of tasks there is no button to make or delete one', async () => {
  await show(panel(true), RELAY, ['device_control/index'])
  await button('Start “Lobby”')
  expect(screen.queryByRole('button', { name: 'New task' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete “Lobby”' })).toBeNull()
})

test('with the key there is', async () => {
  await show(panel(true), RELAY, ['device_control/index', 'device/taskList'])
  await button('Delete “Lobby”')
  await button('New task')
})

test.each([
  ['without control', panel(false), true],
  ['while another runs', panel(true, { run: 'r2' }), true],
  ['with control', panel(true), false],
])('a task is started %s: %#', async (_, Panel, off) => {
  await show(Panel, RELAY)
  expect((await button('Start “Lobby”')).disabled).toBe(off)
})

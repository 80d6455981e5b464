/** Who may do what on the control page: everybody who sees it may stop; what moves the robot wants control, and its key. */
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { LiveRow } from '@/shared/live/frames'
import { currentActions } from '@/widgets/actions/actions'
import { stage } from '@/widgets/testing/test-stage'
import { Actions } from './actions'
import { ParamsDialog } from './dialogs/params-dialog'
import type { RobotActions } from './robot-actions'
import { CommandButton, type Scope, ScopeOf } from './scope'
import { type Subject, SubjectBand } from './status/subject-band'
import { StopButton } from './stop-button'
import { RunDock } from './task/run-dock'
import { TaskPanel } from './task/task-panel'

afterEach(() => vi.unstubAllGlobals())

const sent: string[] = []
/** Actions that only tell their names. */
const actions = new Proxy({}, { get: (_, name) => async () => sent.push(String(name)) }) as RobotActions

const row = (change: Partial<LiveRow> = {}) =>
  ({
    ...{ id: 1, mode: 'cleaning', run: 'r1', taskName: 'Lobby', mapName: 'floor', progress: 0.5, charging: false },
    ...{ cleaned: 10, planned: 20, remainingS: 60, help: '', banners: [] },
    ...change,
  }) as LiveRow

const KEYS = ['device_control/index', 'device_control/index/drive', 'device/maplist', 'device/taskList']

interface Given extends Partial<Omit<Scope, 'actions'>> {
  answers?: Record<string, unknown>
  keys?: string[]
}

/** A part of the page for whoever holds control, or not, of a robot of that protocol. */
const show = (Part: () => React.ReactNode, { answers = {}, keys = KEYS, ...given }: Given = {}) => {
  sent.length = 0
  const scope: Scope = {
    deviceId: 1,
    protocol: 3,
    abilities: [],
    commands: null,
    inControl: true,
    online: true,
    ...given,
    actions,
  }
  const On = () => (
    <ScopeOf value={scope}>
      <Part />
    </ScopeOf>
  )
  return stage(On, { at: '/control', answers, keys })
}
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name })

test('a command that the robot does not have has no button', async () => {
  const Part = () => (
    <>
      <CommandButton command="go_home" label="Charge" />
      <CommandButton command="docker_back" label="Leave" />
    </>
  )
  await show(Part, { commands: ['go_home'] })
  expect(await button('Charge')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Leave' })).toBeNull()
})

test('emergency stop needs no control; releasing it moves the robot again, so that does', async () => {
  await show(() => <StopButton row={row()} />, { inControl: false })
  await userEvent.click(await button('Emergency stop'))
  expect(sent).toEqual(['emergencyStop'])
})

test.each([
  ['of a robot that is offline', { online: false }],
  ['under another person’s control', { inControl: false }],
  ['for an account without any right to drive', { keys: [] }],
  ['of an old robot', { protocol: 1 }],
])('emergency stop can be pressed %s', async (_, given) => {
  await show(() => <StopButton row={row()} />, given)
  expect((await button('Emergency stop')).disabled).toBe(false)
  await userEvent.click(await button('Emergency stop'))
  expect(sent).toEqual(['emergencyStop'])
})

test('an older robot is released by the command that it knows', async () => {
  await show(() => <StopButton row={row({ mode: 'emergency' })} />, { protocol: 2, inControl: true })
  await userEvent.click(await button('Release emergency stop'))
  expect(sent).toEqual(['releaseStop'])
})

test.each([true, false])('release of the emergency stop, with control: %s', async (inControl) => {
  await show(() => <StopButton row={row({ mode: 'emergency' })} />, { inControl })
  const release = await button('Release emergency stop')
  expect(release.disabled).toBe(!inControl)
  expect(release.title).toBe(inControl ? '' : 'Take control first.')
})

test.each([true, false])(
  'where nobody has control one press takes it and releases the stop; given: %s',
  async (given) => {
    const takeControl = async () => {
      sent.push('take')
      return given
    }
    await show(() => <RunDock row={row({ mode: 'emergency' })} />, { inControl: false, takeControl })
    await userEvent.click(await button('Take control and release'))
    expect(sent).toEqual(given ? ['take', 'releaseStop'] : ['take'])
    expect(screen.queryByRole('button', { name: /^Pause/ })).toBeNull()
  },
)

test('everybody may pause the task, by key too, and end it; nobody drives without control', async () => {
  await show(() => <RunDock row={row()} />, { inControl: false })
  await userEvent.click(await button(/^Pause/))
  ;(document.activeElement as HTMLElement).blur()
  await userEvent.keyboard(' ')
  expect((await button('Return to charge')).disabled).toBe(true)
  await userEvent.click(await button('End task'))
  expect(sent).toEqual(['pause', 'pause', 'pause'])
})

test('a paused task goes on for the holder of control alone, by key too', async () => {
  await show(() => <RunDock row={row({ mode: 'paused' })} />, { inControl: false })
  expect((await button('Resume')).disabled).toBe(true)
  await userEvent.keyboard(' ')
  expect(sent).toEqual([])
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
const panel = (change: Partial<LiveRow> = { run: '' }, roomless = false) =>
  function Tasks() {
    return (
      <TaskPanel
        deviceId={1}
        row={row(change)}
        drawn={undefined}
        onShow={() => {}}
        onRooms={undefined}
        roomless={roomless}
        onNew={() => {}}
      />
    )
  }

test('without the key of tasks there is no button to make or delete one', async () => {
  await show(panel(), { answers: RELAY, keys: ['device_control/index'] })
  await button('Start “Lobby”')
  expect(screen.queryByRole('button', { name: 'New task' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete “Lobby”' })).toBeNull()
})

test('lead an editor of a floor without rooms to where they are detected', async () => {
  await show(panel({ run: '', mapId: 5 }, true), { answers: RELAY, keys: ['device_control/index', 'device/maplist'] })
  const link = await screen.findByRole('link', { name: 'Find rooms' })
  expect(link.getAttribute('href')).toBe('/device/maplist/5')
})

test('with the key there is', async () => {
  await show(panel(), { answers: RELAY, keys: ['device_control/index', 'device/taskList'] })
  await button('Delete “Lobby”')
  await button('New task')
})

test.each([
  ['without control', false, '', true],
  ['while another runs', true, 'r2', true],
  ['with control', true, '', false],
])('a task is started %s: %#', async (_, inControl, run, off) => {
  await show(panel({ run }), { answers: RELAY, inControl })
  expect((await button('Start “Lobby”')).disabled).toBe(off)
})

test('[rule.warning.wet_floor] a task starts on a wet floor only after a warning', async () => {
  const wet = { '/taskReport/wetFloors': { list: [row().mapName] } }
  const start = 'http://relay/?m=api1/task_start&p=7'
  const { of } = await show(panel(), {
    answers: { ...RELAY, ...wet, [start]: () => Response.json({ code: 0, msg: '', run: 'r1' }) },
    inControl: true,
  })
  await vi.waitFor(() => expect(of('/taskReport/wetFloors')).toHaveLength(1))
  await userEvent.hover(await button('Start “Lobby”'))
  const hint = await screen.findByText('Start task')
  await userEvent.click(await button('Start “Lobby”'))
  await screen.findByText('Running a task before the floor is dry may reduce efficiency')
  const covered = () => hint.isConnected && !hint.closest('.ant-tooltip-hidden')
  await vi.waitFor(() => expect(covered()).toBe(false))
  expect(of(start)).toHaveLength(0)
})

const renderActions = () => (
  <Actions row={row()} map={undefined} hand={undefined} building={false} onHand={() => {}} onShow={() => {}} />
)

test('show no button without the right or that the robot’s generation lacks', async () => {
  await show(renderActions, { keys: ['device_control/index'], protocol: 2 })
  await button('Settings')
  expect(screen.queryByRole('button', { name: 'Go to point' })).toBeNull()
  await userEvent.click(await button('More'))
  await screen.findByRole('menuitem', { name: 'Record sensor data' })
  for (const name of ['Restart robot', 'Door access', 'Clear noise', 'Build a new map'])
    expect(screen.queryByRole('menuitem', { name })).toBeNull()
})

test('the same robot, three keys more', async () => {
  await show(renderActions, { inControl: false })
  expect((await button('Go to point')).title).toBe('Take control first.')
  await userEvent.click(await button('More'))
  await screen.findByRole('menuitem', { name: 'Build a new map' })
  const reboot = await screen.findByRole('menuitem', { name: 'Restart robot' })
  expect(reboot.getAttribute('aria-disabled')).toBe('true')
})

test('send nothing to a silent robot but a stop', async () => {
  await show(
    () => (
      <>
        <RunDock row={row()} />
        <StopButton row={row()} />
      </>
    ),
    { online: false },
  )
  expect((await button(/^Pause/)).title).toBe('The robot is offline.')
  expect((await button('Emergency stop')).disabled).toBe(false)
})

const offered = (id: string) => currentActions().find((action) => action.id === id)

test('offer in the palette what the page’s buttons do, disabled for the same reasons', async () => {
  const Both = () => (
    <>
      <StopButton row={row()} />
      <RunDock row={row()} />
    </>
  )
  await show(Both, { inControl: false })
  await button('Emergency stop')
  expect(offered('go_home')?.blocked?.()).not.toBe('')
  expect(offered('task_resume')).toBeUndefined()
  offered('emergency-stop')?.run()
  expect(sent).toEqual(['emergencyStop'])
})

test('the palette offers no command that the account never may', async () => {
  await show(() => <RunDock row={row()} />, { keys: [] })
  await screen.findByText('Lobby')
  expect(offered('task_pause')).toBeUndefined()
})

test.each([
  [null, true],
  [['robot_params_get'], false],
])('parameters are saved where the robot takes them: %s', async (commands, saved) => {
  const relay = 'http://relay'
  const params = { code: 0, msg: '', params: { fan: 1 }, ranges: { fan: { min: 0, max: 3, unit: '' } } }
  await show(() => <ParamsDialog onClose={() => {}} />, {
    commands,
    answers: {
      '/device/relayGrant': { url: relay, port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 1 },
      [`${relay}/?m=api1/robot_params_get&p=7`]: () => new Response(JSON.stringify(params)),
    },
  })
  await screen.findByRole('dialog')
  expect(screen.queryByRole('button', { name: 'Save' }) !== null).toBe(saved)
})

test('put what only an engineer reads behind More', async () => {
  const device = { deviceId: 1, deviceCode: 'W3', typeName: 'Scrubber', protocolVersion: 3, abilities: [] }
  const known = { deviceSerialNumber: 'SC1', address: '', address1: '', ownerUserId: 1, commands: null }
  const now = row({ ...{ tanks: {}, battery: 80, liquid: null, uncertainty: 0.04 } })
  const rest = { ageMs: undefined, watching: false, onWatch: () => {} }
  await show(() => <SubjectBand device={{ ...device, ...known } satisfies Subject} row={now} {...rest} />)
  const more = await button('More: W3')
  expect(screen.queryByText(/Protocol version|Position accuracy/)).toBeNull()
  await userEvent.click(more)
  expect(screen.getByText('Protocol version 3')).toBeTruthy()
  expect(screen.getByText('Position accuracy').nextSibling?.textContent).toMatch(/^± 0\.04/)
})

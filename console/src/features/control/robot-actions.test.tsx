/** What a robot refuses on its control page is said over it, by the name of what failed. */
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { forgetGrant } from '@/shared/relay/relay'
import { onNotice } from '@/shared/ui/notice'
import { stage } from '@/widgets/testing/test-stage'
import { useRobotActions } from './robot-actions'

afterEach(() => vi.unstubAllGlobals())

const RELAY = 'http://relay'
const GRANT = { url: RELAY, port: 7, protocol: 3, grant: 'g', expiresAt: Date.now() + 60_000, number: 0 }
const NONE_RUNS = { code: 409, msg: '', reason: 'task_none_running' }

test.each([
  ['endAll', 'task_cancel'],
  ['endThis', 'task_cancel_one'],
] as const)(
  '[err.text.cancel_task_failed] %s says that the task could not be ended, and why',
  async (action, command) => {
    forgetGrant(1)
    const notices: string[] = []
    const stop = onNotice(({ text }) => notices.push(text))
    await stage(() => null, {
      at: '/control',
      answers: {
        '/device/relayGrant': GRANT,
        [`${RELAY}/?m=api1/${command}&p=7`]: () =>
          Response.json({ ...NONE_RUNS, ...(action === 'endThis' && { reason: 'task_unknown' }) }),
      },
    })
    const { result } = renderHook(() => useRobotActions(1, 3, 'floor'))
    await result.current[action]('Lobby')
    await waitFor(() => expect(notices).toHaveLength(1))
    expect(notices[0]).toMatch(/^Could not end the task: ./)
    stop()
  },
)

const SAFE = `${RELAY}/?m=api1/robot_safe&p=7`
const UNREACHED = { code: 502, msg: '', reason: 'robot_unreachable' }
const STOP = 'Emergency stop: Cannot reach the robot. Trying again…'

/** The actions of a robot whose relay answers a stop with `answers` in turn, and what was noticed. */
async function stopAnswered(...answers: object[]) {
  forgetGrant(1)
  const notices: string[] = []
  onTestFinished(onNotice(({ text }) => notices.push(text)))
  let sent = 0
  await stage(() => null, {
    at: '/control',
    answers: { '/device/relayGrant': GRANT, [SAFE]: () => Response.json(answers[sent++] ?? answers.at(-1)) },
  })
  const { result } = renderHook(() => useRobotActions(1, 3, 'floor'))
  return { actions: result.current, notices, sent: () => sent }
}

test('an emergency stop is sent again while the robot cannot be reached, and says so at once', async () => {
  const { actions, notices, sent } = await stopAnswered(UNREACHED, UNREACHED, { code: 0, msg: '' })
  const stopping = actions.emergencyStop()
  await waitFor(() => expect(notices).toEqual([STOP]))
  expect(await stopping).toEqual({ code: 0, msg: '' })
  expect([sent(), notices]).toEqual([3, [STOP]])
})

test('a stop that the robot itself refuses is not sent again', async () => {
  const { actions, notices, sent } = await stopAnswered({ code: 500, msg: 'no brake' })
  expect(await actions.emergencyStop()).toBeUndefined()
  expect([sent(), notices]).toEqual([1, ['Emergency stop: no brake']])
})

test('a newer command ends what a stop still tries', async () => {
  const { actions, sent } = await stopAnswered(UNREACHED)
  const first = actions.emergencyStop()
  await waitFor(() => expect(sent()).toBe(1))
  void actions.releaseStop()
  expect(await first).toBeUndefined()
  expect(sent()).toBeLessThan(4)
})

/** What a robot refuses on its control page is said over it, by the name of what failed. */
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
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

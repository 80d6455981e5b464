/** A screen on a stage of its own for tests: texts in English, a session, and a server that answers by path. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import i18next from 'i18next'
import { type ComponentType, Suspense } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { loadTexts, startTexts } from '@/shared/i18n/i18n'
import { CODE } from '@/shared/rpc/codes'
import { useSessionStore } from '@/shared/session/session'

interface Sent {
  readonly path: string
  readonly payload: Record<string, unknown>
  readonly signal: AbortSignal | null
}

/** An answer, a function of the payload, or a promise that the test holds. */
type Answer = unknown | ((payload: Record<string, unknown>) => unknown)

interface Stage {
  at: string
  answers: Record<string, Answer>
  keys?: string[]
  level?: number
}

const KEYS = ['device/index', 'device/report', 'device/maplist', 'device_control/index']

function standIns() {
  vi.stubGlobal(
    'WebSocket',
    class {
      send() {}
      close() {}
    },
  )
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
}

/** One screen alone. `path`: the router's pattern, when the screen has parameters. */
export const stage = (Screen: ComponentType, { path, ...options }: Stage & { path?: string }) =>
  stageRoutes([{ path: path ?? new URL(options.at, 'http://x').pathname, element: <Screen /> }], options)

/** Whatever these routes show. */
export async function stageRoutes(routes: RouteObject[], { at, answers, keys = KEYS, level = 3 }: Stage) {
  standIns()
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const call = url.replace(/^\/api/, '')
    const { body } = init
    const payload: Record<string, unknown> =
      body instanceof URLSearchParams ? Object.fromEntries(body) : JSON.parse(String(body))
    sent.push({ path: call, payload, signal: init.signal ?? null })
    const answer = answers[call]
    if (answer === undefined) return new Response('', { status: 404 })
    const data = await (typeof answer === 'function' ? answer(payload) : answer)
    if (data instanceof Response) return data
    return Response.json({ message: { code: 0, message: '' }, data })
  })
  // biome-ignore lint/suspicious/noDocumentCookie: the language is read from it
  document.cookie = 'language=en'
  if (!i18next.isInitialized) await startTexts([])
  await loadTexts(
    'shell',
    'status',
    'device',
    'report',
    'robot',
    'control',
    'map',
    'sync',
    'people',
    'tablet',
    'permission',
    'message',
    'log',
    'registry',
    'world',
    'fleet',
    'asset',
    'upkeep',
    'palette',
    'records',
    'task',
    'taskform',
    'alarm',
    'spotcheck',
  )
  useSessionStore.setState({
    session: {
      ...{
        userId: 3,
        token: 't',
        uuid: 'u',
        account: 'user',
        name: 'User',
        url: '',
        levelDepth: level,
        shadowId: null,
      },
      permissionKeys: Object.fromEntries(keys.map((key) => [key, true as const])),
    },
  })
  const router = createMemoryRouter(routes, { initialEntries: [at] })
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={queries}>
      <Suspense>
        <RouterProvider router={router} />
      </Suspense>
    </QueryClientProvider>,
  )
  const of = (call: string) => sent.filter((request) => request.path === call)
  return { of, router }
}

/** A refusal as the server words it; of input, where it is about a field. */
export const refusal = (message: string, field?: string) =>
  Response.json({ message: { code: field ? CODE.BAD_INPUT : CODE.FORBIDDEN, message }, data: field ? { field } : null })

export const device = (deviceId: number, change: Record<string, unknown> = {}) => ({
  deviceId,
  deviceCode: `Kestrel ${deviceId}`,
  deviceSerialNumber: `SC${String(deviceId).padStart(4, '0')}`,
  ...{
    deviceType: 1,
    typeName: 'Scrub 50',
    address: 'Kestrel Quay Hotel',
    address1: '1',
    protocolVersion: 3,
    abilities: [],
    commands: null,
  },
  ...{
    mode: 'idle',
    mapping: '',
    utilities: {},
    help: '',
    taskName: '',
    run: '',
    mapId: null,
    battery: 62,
    progress: 0,
    cleaned: 0,
    remainingS: 0,
  },
  ...{ online: 1, offlineSince: null, offlineReason: null, heartbeatTime: null, modeSince: null, clockOff: 0 },
  ...change,
})

/**
 * Paths of the product: login and 404 stand outside the layout, everything else inside and behind the session. A page
 * whose code does not load fails in its own tab.
 */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type RouteObject, redirect, replace } from 'react-router'
import { withoutBase } from '@/shared/base'
import { loadTexts } from '@/shared/i18n/i18n'
import { currentSession } from '@/shared/session/session'
import { withAntd } from '@/shared/theme/with-antd'
import { ModuleMissing } from '@/shared/ui/boundary'
import { loginPath } from './guard'
import { cameBack } from './login/came-back'
import { NotFound, RootError } from './not-found'
import { BIG_SCREEN } from './pages'
import type { Page } from './pages/page'

function guard({ request }: { request: Request }) {
  if (currentSession()) return null
  const { pathname, search, hash } = new URL(request.url)
  return redirect(loginPath(withoutBase(pathname) + search + hash))
}

async function load(page: Page): Promise<ReactNode> {
  const [Screen, { Permitted }] = await Promise.all([
    page.light ? page.load() : withAntd(page.load),
    import('./shell/permitted'),
    loadTexts(...page.texts),
  ])
  return (
    <Permitted page={page}>
      <Screen />
    </Permitted>
  )
}

/** A page whose code did not come: each time it is shown anew it is asked for again. */
function LatePage({ page }: { page: Page }) {
  const [Loaded] = useState(() =>
    lazy(async () => {
      const element = await load(page).catch((cause: unknown) => {
        throw new ModuleMissing(page.path, { cause })
      })
      return { default: () => element }
    }),
  )
  return (
    <Suspense>
      <Loaded />
    </Suspense>
  )
}

const screen = (page: Page): RouteObject => ({
  path: page.path.slice(1),
  handle: page,
  ...(page.name && { id: page.name }),
  lazy: async () => ({ element: await load(page).catch(() => <LatePage page={page} />) }),
})

export const routesOf = (pages: readonly Page[]): RouteObject[] => [
  { path: '/', loader: () => redirect('/index') },
  { path: '/device_control/index/realWarn', loader: () => redirect('/index/realWarn') },
  {
    path: '/login',
    ErrorBoundary: RootError,
    loader: async ({ request }) => {
      const path = await cameBack(request.url)
      return path === null ? null : replace(path)
    },
    lazy: async () => {
      const [{ LoginRoute }] = await Promise.all([import('./login/login-route'), loadTexts('login', 'shell')])
      return { Component: LoginRoute }
    },
  },
  {
    path: BIG_SCREEN.path,
    handle: BIG_SCREEN,
    ErrorBoundary: RootError,
    loader: async (request) => {
      const { enterByAddress } = await import('@/features/big-screen/wall-session')
      enterByAddress(location) // the loader's own address is without its last part
      return guard(request)
    },
    lazy: async () => {
      const [Screen, { WallRoute }] = await Promise.all([
        BIG_SCREEN.load(),
        import('./wall-route'),
        loadTexts(...BIG_SCREEN.texts),
      ])
      return { element: <WallRoute screen={Screen} /> }
    },
  },
  {
    id: 'shell',
    loader: guard,
    shouldRevalidate: () => true,
    ErrorBoundary: RootError,
    lazy: async () => {
      const [{ Shell }] = await Promise.all([import('./shell/shell'), loadTexts('shell')])
      return { Component: Shell }
    },
    children: [
      ...pages.map(screen),
      { path: 'refresh', lazy: async () => ({ Component: (await import('./shell/re-enter')).Refresh }) },
      { path: 'redirect/*', lazy: async () => ({ Component: (await import('./shell/re-enter')).Redirect }) },
    ],
  },
  {
    path: '*',
    lazy: async () => {
      await loadTexts('shell')
      return { Component: NotFound }
    },
  },
]

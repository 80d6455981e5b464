/** Paths of the product: login and 404 stand outside the layout, everything else inside and behind the session. */
import { createBrowserRouter, type RouteObject, redirect } from 'react-router'
import { loadTexts } from '@/shared/i18n/i18n'
import { currentSession } from '@/shared/rpc/session'
import { loginPath } from './guard'
import { cameBack } from './login/came-back'
import { RootError } from './not-found'
import { PAGES, type Page } from './pages'

function guard({ request }: { request: Request }) {
  if (currentSession()) return null
  const { pathname, search, hash } = new URL(request.url)
  return redirect(loginPath(pathname + search + hash))
}

const screen = (page: Page): RouteObject => ({
  path: page.path.slice(1),
  handle: page,
  ...(page.name && { id: page.name }),
  lazy: async () => {
    const [Screen, { Permitted }] = await Promise.all([
      page.load(),
      import('./shell/permitted'),
      loadTexts(...page.texts),
    ])
    return {
      element: (
        <Permitted page={page}>
          <Screen />
        </Permitted>
      ),
    }
  },
})

const routes: RouteObject[] = [
  { path: '/', loader: () => redirect('/index') },
  { path: '/reportChart', loader: () => redirect('/device/report') }, // the charts' own page comes later
  {
    path: '/login',
    ErrorBoundary: RootError,
    loader: cameBack,
    lazy: async () => {
      const [{ LoginPage }] = await Promise.all([import('./login/login-page'), loadTexts('login')])
      return { Component: LoginPage }
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
      ...PAGES.map(screen),
      { path: 'refresh', lazy: async () => ({ Component: (await import('./shell/re-enter')).Refresh }) },
      { path: 'redirect/*', lazy: async () => ({ Component: (await import('./shell/re-enter')).Redirect }) },
    ],
  },
  {
    path: '*',
    lazy: async () => {
      await loadTexts('shell')
      return { Component: (await import('./not-found')).NotFound }
    },
  },
]

export const router = createBrowserRouter([{ hydrateFallbackElement: <div />, children: routes }])

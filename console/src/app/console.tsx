/** All paths of the console, from the first one on. */
import { Suspense } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { BASE } from '@/shared/base'
import { followErrors } from '@/shared/rpc/client-error'
import { useDocumentTheme } from '@/shared/theme/scheme'
import { PAGES } from './pages'
import { routesOf } from './routes'
import { followSession } from './session-end'

/** Made when the console is first shown, not when its code loads: a router reads the URL once, and log-in changes it first. */
function startRouter() {
  const router = createBrowserRouter([{ hydrateFallbackElement: <div />, children: routesOf(PAGES) }], {
    basename: BASE || '/',
  })
  followSession(router)
  followErrors(() => `/${router.state.matches.map(({ route }) => route.path ?? '').join('')}`)
  return router
}

let router: ReturnType<typeof startRouter> | undefined

export function Console() {
  useDocumentTheme()
  router ??= startRouter()
  return (
    <Suspense>
      <RouterProvider router={router} />
    </Suspense>
  )
}

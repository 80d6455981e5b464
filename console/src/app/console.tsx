/** All paths of the console, from the first one on. */
import { Suspense } from 'react'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { followErrors } from '@/shared/rpc/client-error'
import { useDocumentTheme } from '@/shared/theme/scheme'
import { PAGES } from './pages'
import { routesOf } from './routes'
import { followSession } from './session-end'

const router = createBrowserRouter([{ hydrateFallbackElement: <div />, children: routesOf(PAGES) }])
followSession(router)
followErrors(() => `/${router.state.matches.map(({ route }) => route.path ?? '').join('')}`)

export function Console() {
  useDocumentTheme()
  return (
    <Suspense>
      <RouterProvider router={router} />
    </Suspense>
  )
}

/** Starts the console. The log-in page must stay light: what only the shell needs is loaded by the shell. */
import '@/shared/theme/base.css'
import '@/shared/theme/theme.css'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { startTexts } from '@/shared/i18n/i18n'
import { followErrors } from '@/shared/rpc/client-error'
import { useDocumentTheme } from '@/shared/theme/scheme'
import { PAGES } from './pages'
import { routesOf } from './routes'
import { followSession } from './session-end'

const router = createBrowserRouter([{ hydrateFallbackElement: <div />, children: routesOf(PAGES) }])

function App() {
  useDocumentTheme()
  return (
    <Suspense>
      <RouterProvider router={router} />
    </Suspense>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
await startTexts([])
followSession(router)
followErrors(() => `/${router.state.matches.map(({ route }) => route.path ?? '').join('')}`)
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

/** Starts the console. The log-in page must stay light: what only the shell needs is loaded by the shell. */
import '@/shared/theme/theme.css'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { startTexts } from '@/shared/i18n/i18n'
import { useDocumentTheme } from '@/shared/theme/scheme'
import { router } from './router'
import { followSession } from './session-end'

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
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

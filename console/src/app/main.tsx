/**
 * Starts the console. Who has no session yet sees the log-in page alone: the router, the queries and all screens come
 * after it.
 */
import '@/shared/theme/base.css'
import '@/shared/theme/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { withoutBase } from '@/shared/base'
import { startTexts } from '@/shared/i18n/i18n'
import { LOGIN } from './guard'

const AGAIN_MS = 3_000

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')
const root = createRoot(element)

async function showConsole() {
  const { Console } = await import('./console')
  root.render(
    <StrictMode>
      <Console />
    </StrictMode>,
  )
}

async function showLogin() {
  const { startLogin, LoginAlone } = await import('./login/login-alone')
  if (!(await startLogin())) return showConsole()
  root.render(
    <StrictMode>
      <LoginAlone onEnter={() => void showConsole()} />
    </StrictMode>,
  )
}

/** Not awaited by the module: what it loads imports from the same file, and would wait for it. */
async function start() {
  await startTexts([])
  await (withoutBase(location.pathname) === LOGIN ? showLogin() : showConsole())
}
/** Code or texts that did not arrive leave nothing to show and no words for it: the page is asked for again. */
start().catch((error: unknown) => {
  setTimeout(() => location.reload(), AGAIN_MS)
  throw error // the browser's console shows why
})

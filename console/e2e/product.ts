/** The whole product for a test: `lustra up --demo` on free ports in a folder of its own, and Chromium to look at it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'

const LUSTRA = new URL('../../.venv/bin/lustra', import.meta.url).pathname
const SHELL = '/usr/bin/chromium-headless-shell' // without a window's frame behind each page, a tenth of the machine
const READY_MS = 120_000
const PATIENCE_MS = 60_000 // one wait of a page, on a machine that has other work
const PASSWORD = 'Lustra-demo-1'

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** Asks again until `ready` says so; a stop of the process or the end of patience is an error. */
async function until(ready: () => Promise<boolean>, child: ChildProcess, label: string) {
  const end = Date.now() + READY_MS
  while (!(await ready().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${label}: ended with ${child.exitCode}`)
    if (Date.now() > end) throw new Error(`${label}: not ready in ${READY_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

export interface Product {
  readonly url: string
  readonly data: string
  /** DIR/run.json: urls of all that runs. */
  readonly run: Readonly<Record<string, string>>
  stop(): Promise<void>
}

/** `base`: below which path of its host the console lies. */
export async function startProduct(words: readonly string[] = [], base = ''): Promise<Product> {
  const running = process.env.LUSTRA_URL
  if (running) return { url: running, data: '', run: {}, stop: async () => {} } // look at what runs already
  const data = await mkdtemp(join(tmpdir(), 'lustra-e2e-'))
  await chmod(data, 0o755) // as root, PostgreSQL runs as another user
  const port = await freePort()
  const url = `http://127.0.0.1:${port}${base}`
  const child = spawn(LUSTRA, ['up', '--demo', '--port', String(port), '--data', data, ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(base && { LUSTRA_PUBLIC_URL: url }) },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    child.kill('SIGINT')
    await ended
    await rm(data, { recursive: true, force: true })
  }
  try {
    await until(async () => (await fetch(`${url}/readyz`)).ok, child, 'lustra up')
    const run = JSON.parse(await readFile(join(data, 'run.json'), 'utf8')) as Record<string, string>
    return { url, data, run, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
}

export const startBrowser = (): Promise<Browser> => chromium.launch(launchOptions)

export interface Look {
  language?: string
  theme?: 'light' | 'dark'
  width?: number
  height?: number
  /** With the movements of menus and dialogs, which a busy machine shows late: without, a press never meets what still moves. */
  motion?: boolean
}

export interface Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** What the page complained about. */
  readonly faults: string[]
}

export async function visitor(browser: Browser, product: Product, look: Look = {}): Promise<Visitor> {
  const { language = 'en', theme = 'light', width = 1440, height = 900, motion = false } = look
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: motion ? 'no-preference' : 'reduce',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addCookies([{ name: 'language', value: language, url: product.url }])
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  return { context, page, faults }
}

/** Logs in through the page and waits for the place that was asked for. */
export async function logIn(page: Page, product: Product, account: string, path = '/index') {
  await page.goto(`${product.url}/login?redirect=${encodeURIComponent(path)}`)
  await page.locator('input[name=account]').fill(account)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${product.url}${path}`)
}

/** A call beside the page, as who is logged in there. */
export async function ask(page: Page, product: Product, path: string, data: object) {
  const token = (await page.context().cookies(product.url)).find((cookie) => cookie.name === 'token')?.value ?? ''
  const answer = await page.request.post(`${product.url}/api${path}`, { headers: { token }, data })
  return (await answer.json()).data
}

/** Undefined: what never came up. */
export const closeAll = async (...resources: (BrowserContext | Browser | Product | undefined)[]) => {
  for (const resource of resources) if (resource) await ('stop' in resource ? resource.stop() : resource.close())
}

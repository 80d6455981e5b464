/** First loads stay small: every file that a cold start of a page fetches, gzipped, against its budget. */
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const OUT = '../src/lustra/console'
const PAGES = [
  { page: '/login', kb: 200, entries: ['src/app/login/login-page.tsx'], texts: ['common', 'login'] },
  {
    page: '/device/index',
    kb: 400,
    entries: [
      'src/app/shell/shell.tsx',
      'src/app/shell/permitted.tsx',
      'src/features/device/list/device-screen.tsx',
      'antd/locale/zh_CN',
    ],
    texts: ['common', 'shell', 'device'],
  },
]
const LANGUAGES = ['zh-CN', 'en'] // the default, and the fallback behind it

interface Chunk {
  file: string
  src?: string
  imports?: string[]
  css?: string[]
}

const manifest = JSON.parse(readFileSync(`${OUT}/.vite/manifest.json`, 'utf8')) as Record<string, Chunk>

function find(name: string): string | undefined {
  return Object.keys(manifest).find((key) => key === name || key.includes(name))
}

function closure(key: string, seen: Set<string>) {
  const chunk = manifest[key]
  if (!chunk || seen.has(chunk.file)) return
  seen.add(chunk.file)
  for (const css of chunk.css ?? []) seen.add(css)
  for (const needed of chunk.imports ?? []) closure(needed, seen)
}

const size = (file: string) => gzipSync(readFileSync(`${OUT}/${file}`), { level: 9 }).length

for (const { page, kb, entries, texts } of PAGES) {
  const packs = LANGUAGES.flatMap((language) => texts.map((space) => `locales/${language}/${space}.json`))
  const files = new Set(['index.html'])
  for (const name of ['index.html', ...entries, ...packs]) {
    const key = find(name)
    if (key) closure(key, files)
    else if (!name.startsWith('src/features')) throw new Error(`${page}: the build has no ${name}`)
  }
  const total =
    [...files].filter((file) => existsSync(`${OUT}/${file}`)).reduce((sum, file) => sum + size(file), 0) / 1024
  console.log(`${page}: ${total.toFixed(0)} KB gzip in ${files.size} files, at most ${kb}`)
  if (total > kb) process.exitCode = 1
}

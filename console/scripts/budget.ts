/**
 * First loads stay small: the files that chunks.ts gathers for a cold start of a page, and what they import, gzipped,
 * against its budget. What Chromium really fetches, e2e/first-load.test.ts measures.
 */
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const OUT = '../src/lustra/console'
const LANGUAGE = 'zh-CN' // the default; no other is loaded with it
const MOST_FILES = 40
const PAGES = [
  { page: '/login', kb: 120, groups: ['first-base'], texts: ['common', 'login'] },
  {
    page: '/device/index',
    kb: 250,
    groups: ['first-base', 'first-console', 'first-list'],
    texts: ['common', 'shell', 'device', 'robot'],
  },
]

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
}

const manifest = JSON.parse(readFileSync(`${OUT}/.vite/manifest.json`, 'utf8')) as Record<string, Chunk>

function keysOf(page: string, test: (key: string, chunk: Chunk) => boolean): string[] {
  const keys = Object.entries(manifest).flatMap(([key, chunk]) => (test(key, chunk) ? [key] : []))
  if (keys.length === 0) throw new Error(`${page}: the build lacks a part of it`)
  return keys
}

function closure(key: string, seen: Set<string>) {
  const chunk = manifest[key]
  if (!chunk || seen.has(chunk.file)) return
  seen.add(chunk.file)
  for (const css of chunk.css ?? []) seen.add(css)
  for (const needed of chunk.imports ?? []) closure(needed, seen)
}

const size = (file: string) => gzipSync(readFileSync(`${OUT}/${file}`), { level: 9 }).length

for (const { page, kb, groups, texts } of PAGES) {
  const files = new Set(['index.html'])
  for (const group of groups) for (const key of keysOf(page, (id) => id.startsWith(`_${group}-`))) closure(key, files)
  for (const space of texts)
    for (const key of keysOf(page, (id) => id.endsWith(`locales/${LANGUAGE}/${space}.json`))) closure(key, files)
  const total =
    [...files].filter((file) => existsSync(`${OUT}/${file}`)).reduce((sum, file) => sum + size(file), 0) / 1024
  console.log(`${page}: ${total.toFixed(0)} KB gzip in ${files.size} files, at most ${kb} in ${MOST_FILES}`)
  if (total > kb || files.size > MOST_FILES) process.exitCode = 1
}

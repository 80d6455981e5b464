/** Layers hold, and the tool saw every source file: a checker that resolves nothing would pass over everything. */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'

const text = { encoding: 'utf8', maxBuffer: 1 << 28 } as const
const cruise = ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json']

interface Seen {
  modules: { source: string; dependencies: { couldNotResolve: boolean; module: string }[] }[]
}

const report = execFileSync('node_modules/.bin/depcruise', cruise, text)
const seen = (JSON.parse(report) as Seen).modules.filter((m) => m.source.startsWith('src/'))
const files = globSync('src/**/*.{ts,tsx}').filter((f) => !f.endsWith('.d.ts'))
const names = new Set(seen.map((m) => m.source))
const missed = files.filter((f) => !names.has(f))
const unresolved = seen.flatMap((m) =>
  m.dependencies.filter((d) => d.couldNotResolve).map((d) => `${m.source} imports ${d.module}`),
)
if (missed.length > 0) throw new Error(`dependency-cruiser did not see: ${missed.join(', ')}`)
if (unresolved.length > 0) throw new Error(`dependency-cruiser could not follow:\n${unresolved.join('\n')}`)
const format = ['--output-type', 'err', '--exit-code', '-']
console.log(execFileSync('node_modules/.bin/depcruise-fmt', format, { ...text, input: report }).trim())

/**
 * theme.css, from tokens.ts; and no other file of the console says a colour, a size of letters, a distance, a radius, a layer
 * or a width of screens by itself, and no class stands unused. `--check` fails on a difference.
 */

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  BREAKPOINT,
  COLOUR,
  HEIGHT,
  LAYER,
  RADIUS,
  SCALE,
  SHADOW,
  SPACE,
  TOUCH,
  TYPE,
  WIDTH,
} from '../src/shared/theme/tokens.ts'

const THEME = 'src/shared/theme/theme.css'
const OUTSIDE_OF_RULES = new Set([THEME, 'src/shared/theme/tokens.ts'])

const line = (name: string, value: string) => `  --${name}: ${value};`
const px = (prefix: string, sizes: Record<string, number>) =>
  Object.entries(sizes).map(([name, size]) => line(`${prefix}-${name}`, `${size}px`))

const pairs = (mode: 0 | 1) => [
  ...Object.entries(COLOUR).map(([name, pair]) => line(name, pair[mode].toLowerCase())),
  ...Object.entries(SHADOW).map(([name, pair]) => line(`shadow-${name}`, pair[mode].toLowerCase())),
]

const theme = `/* Made from tokens.ts by scripts/styles.ts. --primary follows the colour that a person chose; --state-* and --m-* never do. */
:root {
${[
  ...pairs(0),
  ...px('space', SPACE),
  ...px('radius', RADIUS),
  ...Object.entries(TYPE).flatMap(([name, [letters, lines]]) => [
    line(`size-${name}`, `${letters}px`),
    line(`line-${name}`, `${lines}px`),
  ]),
  ...px('height', HEIGHT),
  ...px('width', WIDTH),
  ...Object.entries(LAYER).map(([name, layer]) => line(`layer-${name}`, String(layer))),
  line('scale', String(SCALE.default)),
].join('\n')}
}

:root[data-size="large"] {
${line('scale', String(SCALE.large))}
}

@media (pointer: coarse) {
  :root {
${px('height', TOUCH)
  .map((size) => `  ${size}`)
  .join('\n')}
  }
}

[data-theme="dark"] {
${pairs(1).join('\n')}
}
`

const LENGTH = /(?<![\w.-])-?(?:\d*\.)?\d+(?:px|rem|em)\b/g
const COLOUR_VALUE = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(|(?<![\w-])(?:white|black)(?![\w-])/i
const HAIRLINE = new Set(['1px', '-1px', '0px'])
const WIDTHS = new Set(Object.values(BREAKPOINT).flatMap((width) => [`${width - 1}px`, `${width}px`]))

const raw = (value: string) => (value.match(LENGTH) ?? []).filter((length) => !HAIRLINE.has(length))

/** Of a declaration: what is wrong with it, and which tokens there are. */
function fault(property: string, value: string): string | undefined {
  if (COLOUR_VALUE.test(value)) return 'a colour: use a role of tokens.ts'
  if (/^(?:row-|column-)?gap$|^(?:padding|margin)/.test(property) && raw(value).length > 0)
    return `a distance: use var(--space-${Object.keys(SPACE).join('|')})`
  if (/radius$/.test(property) && raw(value).length > 0)
    return `a radius: use var(--radius-${Object.keys(RADIUS).join('|')})`
  if ((property === 'font-size' || property === 'line-height' || property === 'font') && raw(value).length > 0)
    return `a size of letters: use var(--size-…) and var(--line-${Object.keys(TYPE).join('|')})`
  if (property === 'font-weight' && !/^(?:400|600|inherit)$/.test(value)) return 'a weight: 400 or 600'
  if (property === 'z-index' && !/^(?:var\(--layer-[\w-]+\)|auto)$/.test(value))
    return `a layer: use var(--layer-${Object.keys(LAYER).join('|')})`
  if (property === 'box-shadow' && raw(value).length > 0 && !/inset|^0 0 0 /.test(value))
    return `a shadow: use var(--shadow-${Object.keys(SHADOW).join('|')})`
  return undefined
}

function* faults(file: string, text: string): Generator<string> {
  const bare = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  const at = (index: number) => `${file}:${bare.slice(0, index).split('\n').length}`
  for (const { 0: query, index } of bare.matchAll(/@(?:media|container)[^{]*/g))
    for (const width of query.match(LENGTH) ?? [])
      if (!WIDTHS.has(width)) yield `${at(index)}: ${width} is no breakpoint (${[...WIDTHS].join(', ')})`
  for (const match of bare.matchAll(/(?<=[;{]\s*)([\w-]+):\s*([^;{}]+);/g)) {
    const [, property = '', value = ''] = match
    const why = fault(property, value.trim())
    if (why) yield `${at(match.index)}: ${property}: ${value.trim()} is ${why}`
  }
}

function* colours(file: string, text: string): Generator<string> {
  for (const { 0: colour, index } of text.matchAll(
    /(?<=['"`])(?:#(?:[\da-fA-F]{3,4}|[\da-fA-F]{6}|[\da-fA-F]{8})|rgba?\([^'"`]*\))(?=['"`])/g,
  ))
    yield `${file}:${text.slice(0, index).split('\n').length}: ${colour} is a colour: use a role of tokens.ts`
}

/** Classes of a module that no file uses, and classes that files use and no module has. */
function* classes(file: string, text: string): Generator<string> {
  const names = new Set(
    [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/(?<=[.])[a-zA-Z][\w-]*(?=[^{};]*\{)/g)].map(([name]) => name),
  )
  const globals = new Set(
    [...text.matchAll(/:global\(([^)]*)\)/g)].flatMap(([, inside = '']) => inside.match(/(?<=[.])[\w-]+/g) ?? []),
  )
  const used = new Set<string>()
  for (const user of users.get(file) ?? []) {
    if (user.whole) return // composed, or chosen by a computed name
    for (const name of user.names) {
      used.add(name)
      if (!names.has(name)) yield `${user.file}: ${file} has no class .${name}`
    }
  }
  for (const name of names) if (!used.has(name) && !globals.has(name)) yield `${file}: .${name} is used nowhere`
}

interface Use {
  readonly file: string
  readonly names: string[]
  readonly whole: boolean
}

/** Who imports a module of styles, and which of its classes. */
const users = new Map<string, Use[]>()
function note(file: string, text: string) {
  const body = text.replace(/^import .*/gm, '')
  for (const [, name = '', from = ''] of text.matchAll(/import (\w+) from '([^']+[.]module[.]css)'/g)) {
    const module = from.startsWith('@/') ? `src/${from.slice(2)}` : join(dirname(file), from)
    const names = [...body.matchAll(new RegExp(`(?<![\\w.])${name}(?:[.](\\w+)|\\['([\\w-]+)'\\])`, 'g'))].map(
      (m) => m[1] ?? m[2] ?? '',
    )
    const whole = new RegExp(`(?<![\\w.])${name}(?:\\[[^']|(?![.\\w]|\\[|\\s+from))`).test(body)
    users.set(module, [...(users.get(module) ?? []), { file, names, whole }])
  }
  for (const [, name = '', from = ''] of text.matchAll(/composes: ([\w-]+) from "([^"]+)"/g)) {
    const module = join(dirname(file), from)
    users.set(module, [...(users.get(module) ?? []), { file, names: [name], whole: false }])
  }
}

const sources = globSync('src/**/*.{css,ts,tsx}').filter(
  (file) => !OUTSIDE_OF_RULES.has(file) && !/[.]test[.]/.test(file),
)
const texts = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]))
for (const [file, text] of texts) note(file, text)
const problems = [...texts].flatMap(([file, text]) => [
  ...(file.endsWith('.css') ? faults : colours)(file, text),
  ...(file.endsWith('.module.css') ? classes(file, text) : []),
])
if (process.argv.includes('--check')) {
  if (!existsSync(THEME) || readFileSync(THEME, 'utf8') !== theme)
    problems.unshift(`${THEME} is not what tokens.ts says: node scripts/styles.ts`)
} else writeFileSync(THEME, theme)
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

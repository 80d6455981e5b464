/**
 * locales/<lang>/common.json: the glossary's words that the console uses (locales/words.txt), in all nine languages;
 * permission.json: what the server calls the permission keys. `--check` fails on a difference.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'

interface Entry {
  id: string
  t: Record<string, string | Record<string, string>>
}

const { meta, entries } = parse(readFileSync('../docs/glossary.yaml', 'utf8')) as {
  meta: { languages: string[] }
  entries: Entry[]
}
const words = readFileSync('locales/words.txt', 'utf8').split('\n').filter(Boolean)
const byId = new Map(entries.map((entry) => [entry.id, entry.t]))

/** A plural entry becomes one key per form: `count-robots_one`. */
function keys(id: string, language: string): [string, string][] {
  const label = byId.get(id)?.[language]
  if (label === undefined) throw new Error(`the glossary has no ${id} in ${language}`)
  return typeof label === 'string'
    ? [[id, label]]
    : Object.entries(label).map(([form, text]) => [`${id}_${form}`, text])
}

/** The server's `key.device/index` stays the key here. */
function permissions(language: string): [string, string][] {
  const texts = JSON.parse(readFileSync(`../src/lustra/texts/${language}.json`, 'utf8')) as Record<string, string>
  return Object.entries(texts).filter(([key]) => key.startsWith('key.'))
}

function write(file: string, texts: [string, string][], source: string) {
  const text = `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.log(`${file} differs from ${source}: npm run glossary`)
    process.exitCode = 1
  }
}

for (const language of meta.languages) {
  const common = [...words].sort().flatMap((id) => keys(id, language))
  write(`locales/${language}/common.json`, common, 'docs/glossary.yaml')
  write(`locales/${language}/permission.json`, permissions(language), 'src/lustra/texts')
}

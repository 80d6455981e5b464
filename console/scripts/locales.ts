/** Nine languages, all complete: the same keys and places to fill in each, the plural forms that each language has, no key that nobody uses, none that is missing. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

const FORMS = /_(zero|one|two|few|many|other)$/
const SOURCE = 'en'
const languages = readdirSync('locales', { withFileTypes: true }).flatMap((d) => (d.isDirectory() ? [d.name] : []))
const faults: string[] = []

type Pack = Record<string, string>
const read = (language: string, space: string) =>
  JSON.parse(readFileSync(`locales/${language}/${space}.json`, 'utf8')) as Pack
const stem = (key: string) => key.replace(FORMS, '')
const holes = (text: string) =>
  [...text.matchAll(/\{\{(\w+)/g)]
    .map((m) => m[1])
    .sort()
    .join()

const sources = globSync('src/**/*.{ts,tsx}')
  .map((f) => readFileSync(f, 'utf8'))
  .join('\n')
const literals = new Set([...sources.matchAll(/['"`](?:[a-z]+:)?([a-z][\w.-]*)['"`]/g)].map((m) => m[1]))
/** t(`http-${status}`) uses every key that begins so. */
const prefixes = [...sources.matchAll(/`([a-z][\w-]*[-.])\$\{/g)].map((m) => m[1] ?? '')
const used = (key: string) => literals.has(key) || prefixes.some((p) => key.startsWith(p))

const spaces = globSync(`locales/${SOURCE}/*.json`).map((f) => basename(f, '.json'))
const known = new Set<string>()
for (const space of spaces) {
  const source = read(SOURCE, space)
  const stems = new Set(Object.keys(source).map(stem))
  for (const key of stems) {
    known.add(key)
    if (!used(key)) faults.push(`${space}: nobody uses ${key}`)
  }
  for (const language of languages) {
    const pack = read(language, space)
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const key of stems) {
      const plural = `${key}_other` in source
      for (const name of plural ? forms.map((f) => `${key}_${f}`) : [key]) {
        if (!pack[name]) faults.push(`${language}/${space}: ${name} is missing`)
        else if (!plural && holes(pack[name]) !== holes(source[name] ?? ''))
          faults.push(`${language}/${space}: ${name} fills other places`)
      }
    }
    for (const key of Object.keys(pack))
      if (!stems.has(stem(key))) faults.push(`${language}/${space}: ${key} is not in ${SOURCE}`)
  }
}
for (const [, key] of sources.matchAll(/\bt\('([\w.-]+)'/g))
  if (key && !known.has(key)) faults.push(`t('${key}') has no text`)

console.log(faults.length > 0 ? faults.join('\n') : `${languages.length} languages, ${known.size} keys, complete`)
if (faults.length > 0) process.exitCode = 1

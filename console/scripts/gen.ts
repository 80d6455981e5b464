/**
 * The contract, from where it is written: the server's OpenAPI becomes schema.d.ts, changes.ts and, for the limits of the
 * payloads' fields, limits.ts (of robots' commands, relay/limits.ts); the codes of refusals become codes.ts, the robot's command table commands.ts, the rules about
 * people people.ts, those about nodes and elevators places.ts, and the fields of a robot's state telemetry.ts. What robots
 * take and answer becomes robot.d.ts, what the live socket sends live/wire.d.ts, the keys of the English texts
 * i18n/keys.d.ts. Run by `make gen`; `--check` fails when what is committed differs.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import openapi, { astToString, type OpenAPI3 } from 'openapi-typescript'

const PYTHON = process.env.LUSTRA_PYTHON ?? '../.venv/bin/python'

interface Contract {
  readonly api: OpenAPI3
  readonly live: OpenAPI3
  readonly robot: OpenAPI3
  readonly commands: Readonly<Record<string, object>>
  readonly people: Readonly<Record<string, unknown>>
  readonly places: Readonly<Record<string, unknown>>
  readonly codes: Readonly<Record<string, number>>
  readonly telemetry: {
    readonly modes: readonly string[]
    readonly fields: readonly { key: string; type: string; description: string; empty: unknown }[]
  }
}

const printed = execFileSync(PYTHON, ['../scripts/contract_for_console.py'], { encoding: 'utf8', maxBuffer: 1 << 28 })
const { api, live, robot, commands, people, places, codes, telemetry } = JSON.parse(printed) as Contract
const fields = telemetry.fields.map(({ key, type, description }) => `/** ${description}. */ readonly ${key}: ${type}\n`)

const empty = Object.fromEntries(telemetry.fields.map((field) => [field.key, field.empty]))

const changes = Object.entries(api.paths ?? {}).flatMap(([path, item]) => {
  const families = (item as { post?: { 'x-changes'?: string[] } }).post?.['x-changes']
  return families && families.length > 0 ? [[path.replace(/^\/api/, ''), families] as const] : []
})

/** Topics by call, where they are not the first word of its path. */
const reads = Object.entries(api.paths ?? {}).flatMap(([path, item]) => {
  const topics = (item as { post?: { 'x-reads'?: string[] } }).post?.['x-reads'] ?? []
  const call = path.replace(/^\/api/, '')
  return topics.length > 0 && topics.join() !== call.split('/')[1] ? [[call, topics] as const] : []
})

interface Schema {
  readonly $ref?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly maxItems?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Operation {
  readonly requestBody?: { content: Readonly<Record<string, { schema: Schema }>> }
}

const LIMITING = ['maxItems', 'maxLength', 'minimum', 'maximum', 'pattern'] as const

/** Limits by field of each operation's payload, under the name that `nameOf` gives the operation. */
function limitsOf(document: OpenAPI3, nameOf: (path: string, operation: { operationId?: string }) => string) {
  const schemas = document.components?.schemas as Readonly<Record<string, Schema>> | undefined
  const resolve = (schema: Schema): Schema => (schema.$ref && schemas?.[schema.$ref.split('/').at(-1) ?? '']) || schema
  /** What limits a field; one that is a text or null has it in one of its alternatives, rows of a list under `items`. */
  const fieldLimits = (field: Schema): Record<string, unknown> => {
    const ways = [resolve(field), ...(resolve(field).anyOf ?? []).map(resolve)]
    const set = LIMITING.flatMap((name) => {
      const value = ways.find((way) => way[name] !== undefined)?.[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    const row = ways.find((way) => way.items)?.items
    const items = row ? rowLimits(row) : {}
    return { ...Object.fromEntries(set), ...(Object.keys(items).length > 0 && { items }) }
  }
  const rowLimits = (schema: Schema): Record<string, object> => {
    const fields = Object.entries(resolve(schema).properties ?? {})
    const limited = fields.map(([name, field]) => [name, fieldLimits(field)] as const)
    return Object.fromEntries(limited.filter(([, limits]) => Object.keys(limits).length > 0))
  }
  const payloadLimits = ({ requestBody }: Operation) => {
    const content = requestBody?.content
    const schema = (content?.['application/json'] ?? content?.['multipart/form-data'])?.schema
    return schema ? rowLimits(schema) : {}
  }
  const limits = Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
    const { post } = item as { post?: Operation & { operationId?: string } }
    return post ? [[nameOf(path, post), payloadLimits(post)] as const] : []
  })
  return Object.fromEntries(limits.filter(([, fields]) => Object.keys(fields).length > 0))
}
const limits = limitsOf(api, (path) => path.replace(/^\/api/, ''))
const commandLimits = limitsOf(robot, (path, { operationId }) => operationId ?? path)

const constants = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const\n`)
    .join('')

/** Types of an OpenAPI document; `immutable`: all of it readonly. */
const typesOf = async (document: OpenAPI3, immutable: boolean) =>
  header + astToString(await openapi(document, { defaultNonNullable: false, immutable }))

/** Keys of a pack as screens ask for them: the forms of a plural are one key. */
function keysOf(file: string): string[] {
  const keys = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)
  const stems = new Set(keys.filter((key) => key.endsWith('_other')).map((key) => key.replace(/_other$/, '')))
  return [...new Set(keys.map((key) => (stems.has(key.replace(/_[a-z]+$/, '')) ? key.replace(/_[a-z]+$/, '') : key)))]
}

const texts = globSync('locales/en/*.json')
  .sort()
  .map(
    (file) =>
      `  readonly '${basename(file, '.json')}':\n${keysOf(file)
        .map((key) => `    | '${key}'\n`)
        .join('')}`,
  )

const FIRST_LIST = '/device/selectDevicePc'
const header = '/** Generated by `npm run gen`: change the server or the protocol, not this file. */\n'
const outputs = new Map([
  ['src/shared/rpc/schema.d.ts', await typesOf(api, false)],
  ['src/shared/live/wire.d.ts', await typesOf(live, true)],
  ['src/shared/relay/robot.d.ts', await typesOf(robot, true)],
  [
    'src/shared/rpc/changes.ts',
    `${header}/** Topics that a call makes stale. */\nexport const CHANGES: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(changes))}\n` +
      `/** Topics that an answer is stale with, where they are not the first word of its call's path. */\nexport const READS: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(Object.fromEntries(reads))}\n`,
  ],
  ['src/shared/relay/commands.ts', `${header}export const COMMANDS = ${JSON.stringify(commands)} as const\n`],
  ['src/shared/relay/limits.ts', header + constants({ COMMAND_LIMITS: commandLimits })],
  ['src/shared/rpc/people.ts', header + constants(people)],
  [
    'src/shared/live/telemetry.ts',
    `${header}/** In the order of who needs somebody first. */\nexport const MODES = ${JSON.stringify(telemetry.modes)} as const\n` +
      `/** What a robot says of itself, in its row of lists and of the live socket. */\nexport interface Telemetry {\n${fields.join('')}}\n` +
      `/** Of a robot that has said nothing. */\nexport const NO_TELEMETRY: Telemetry = ${JSON.stringify(empty)}\n`,
  ],
  ['src/shared/rpc/places.ts', header + constants(places)],
  ['src/shared/rpc/limits.ts', header + constants({ LIMITS: limits })],
  [
    'src/shared/rpc/first-limits.ts',
    `${header}/** Of the list of robots, apart from all others: they are larger than the rest of its first load may be. */\n${constants({ LIST_LIMITS: limits[FIRST_LIST] })}`,
  ],
  [
    'src/shared/i18n/keys.d.ts',
    '/** Generated by `npm run gen` from locales/en: the keys of each pack of texts. */\n' +
      `export interface Keys {\n${texts.join('')}}\n`,
  ],
  ['src/shared/rpc/codes.ts', header + constants({ CODE: codes })],
])

const drifted: string[] = []
for (const [file, text] of outputs) {
  const formatted = file.endsWith('.d.ts')
    ? text
    : execFileSync('node_modules/.bin/biome', ['format', `--stdin-file-path=${file}`], {
        input: text,
        encoding: 'utf8',
      })
  if (existsSync(file) && readFileSync(file, 'utf8') === formatted) continue
  drifted.push(file)
  if (!process.argv.includes('--check')) writeFileSync(file, formatted)
}
if (drifted.length > 0) console.log(`changed: ${drifted.join(', ')}`)
if (drifted.length > 0 && process.argv.includes('--check')) process.exitCode = 1

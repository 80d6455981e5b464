/** A program of somebody else, with types from the OpenAPI alone: logs in, lists, changes, is refused. */
import type { paths } from './schema'

type Calls = { [P in keyof paths]: paths[P] extends { post: infer O } ? O : never }
type Body<O> = O extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never
type Envelope<O> = O extends { responses: { 200: { content: { 'application/json': infer A } } } } ? A : never

const [, , base = '', account = '', password = ''] = process.argv

async function call<P extends keyof paths>(path: P, body: Body<Calls[P]>, token = ''): Promise<Envelope<Calls[P]>> {
  const headers = { 'content-type': 'application/json', token }
  const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as Envelope<Calls[P]>
}

/** The answer of a call that was done; a refusal is thrown. */
function done<E extends { message: { code: number; message: string } }>(answer: E) {
  if (answer.message.code !== 0) throw new Error(answer.message.message)
  return answer as Extract<E, { message: { code: 0 } }>
}

const { token } = done(await call('/api/login', { account, password, type: 'user' })).data
const robots = done(await call('/api/device/selectDevicePc', { pageSize: 2 }, token)).data
const created = done(await call('/api/deviceGroup/insert', { name: 'Night', type: 0 }, token))
const refused = await call('/api/host/add', { name: 'Files', url: 'https://files.example' }, token)
const tooLarge = await call('/api/deviceGroup/insert', { name: 'N'.repeat(1 << 20), type: 0 }, token)
console.log(
  JSON.stringify({ robots, created: created.message, refused: refused.message, tooLarge: tooLarge.message }),
)

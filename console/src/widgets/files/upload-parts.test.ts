import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Refusal } from '@/shared/rpc/refusal'
import { PART, uploadParts } from './upload-parts'

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
beforeEach(() => sessionStorage.clear())
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const SIZE = 2 * PART + 5
const FILE = new File([new Uint8Array(SIZE)], 'image.bin', { lastModified: 1 })
const envelope = (data: unknown, code = 0) => ({ message: { code, message: 'text' }, data })

/** A store of one file: what came of it, and the ranges that it was asked for. */
function store({ have = 0, fail = (_: string): number => 0, expired = false } = {}) {
  const state = { have, tokens: 0, ranges: [] as string[] }
  let old = expired
  server.use(
    http.post('*/api/oss/upload', () => HttpResponse.json(envelope(`token ${++state.tokens}`))),
    http.put('*/api/oss/object', async ({ request }) => {
      const range = request.headers.get('content-range') ?? ''
      state.ranges.push(range)
      const status = fail(range)
      if (status) return new HttpResponse(null, { status })
      if (old) {
        old = false
        return HttpResponse.json(envelope(null, 40024))
      }
      const [, first, last] = /bytes (\d+)-(\d+)\//.exec(range) ?? []
      if (first !== undefined && Number(first) === state.have) state.have = Number(last) + 1
      const whole = state.have === SIZE
      return HttpResponse.json(envelope({ savePath: whole ? 'versions/image.bin' : '', received: state.have }))
    }),
  )
  return state
}

async function send(signal = new AbortController().signal) {
  const seen = { bytes: 0, waited: false }
  const onWaiting = (waiting: boolean) => {
    seen.waited ||= waiting
    if (waiting) setTimeout(() => window.dispatchEvent(new Event('online')))
  }
  await uploadParts(FILE, 'versions', 'image.bin', {
    onProgress: (bytes) => {
      seen.bytes = bytes
    },
    onWaiting,
    signal,
  })
  return seen
}

test('a large file goes in parts of 8 MB and ends with its path', async () => {
  const state = store()
  expect(await send()).toEqual({ bytes: SIZE, waited: false })
  expect(state.ranges).toEqual([
    `bytes */${SIZE}`,
    `bytes 0-${PART - 1}/${SIZE}`,
    `bytes ${PART}-${2 * PART - 1}/${SIZE}`,
    `bytes ${2 * PART}-${SIZE - 1}/${SIZE}`,
  ])
  expect(sessionStorage).toHaveLength(0)
})

test('wait for the network after a cut, ask for the offset and send no earlier part again', async () => {
  let cuts = 0
  const state = store({ fail: (range) => (range.includes(`${PART}-`) && cuts++ === 0 ? 502 : 0) })
  expect((await send()).waited).toBe(true)
  expect(state.ranges.filter((range) => range.startsWith('bytes 0-'))).toHaveLength(1)
  expect(state.have).toBe(SIZE)
})

test('the same file chosen after a reload goes on under its old token', async () => {
  sessionStorage.setItem(`upload versions/image.bin ${SIZE} 1`, 'token of before')
  const state = store({ have: PART })
  await send()
  expect(state.tokens).toBe(0)
  expect(state.ranges).not.toContain(`bytes 0-${PART - 1}/${SIZE}`)
})

test('a token that has ended is replaced before anything is sent', async () => {
  sessionStorage.setItem(`upload versions/image.bin ${SIZE} 1`, 'token of before')
  const state = store({ expired: true })
  await send()
  expect(state.tokens).toBe(1)
})

test('a refusal ends it, and so does whoever takes it back while it waits', async () => {
  server.use(
    http.post('*/api/oss/upload', () => HttpResponse.json(envelope('token'))),
    http.put('*/api/oss/object', () => HttpResponse.json(envelope({ field: 'file' }, 40013))),
  )
  await expect(send()).rejects.toThrow(Refusal)
  const stop = new AbortController()
  store({ fail: () => 503 })
  const sent = uploadParts(FILE, 'versions', 'image.bin', {
    onProgress: () => undefined,
    onWaiting: (waiting) => waiting && setTimeout(() => stop.abort()),
    signal: stop.signal,
  })
  await expect(sent).rejects.toThrow('cancelled')
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { playWebRtc } from './play-webrtc'

const WHEP = { whepUrl: 'http://video/whep?ticket=x', iceServers: [] }

/** A connection whose states and counts a test says. */
class Connection extends EventTarget {
  static last: Connection
  connectionState = 'new'
  iceGatheringState = 'complete'
  iceConnectionState = 'new'
  localDescription = { sdp: 'offer' }
  pictures = 0
  closed = false
  constructor(readonly configuration: RTCConfiguration) {
    super()
    Connection.last = this
  }
  addTransceiver() {}
  async setLocalDescription() {}
  async setRemoteDescription() {}
  async getStats() {
    return new Map([['1', { framesDecoded: this.pictures }]])
  }
  close() {
    this.closed = true
  }
  fail() {
    this.connectionState = 'failed'
    this.dispatchEvent(new Event('connectionstatechange'))
  }
}

let requests: string[]
let state: string

beforeEach(() => {
  vi.useFakeTimers()
  requests = []
  state = 'open'
  vi.stubGlobal('RTCPeerConnection', Connection)
  vi.stubGlobal('fetch', async (url: URL | string, { method = 'GET' }: RequestInit = {}) => {
    requests.push(`${method} ${new URL(url).pathname}`)
    const headers = new Headers({ Location: '/whep/7' })
    return { ok: true, headers, text: async () => (method === 'POST' ? 'answer' : state) } // without a stream's ticks
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function watch() {
  const video = document.createElement('video')
  const own = new AbortController()
  const onPicture = vi.fn()
  let result = 'going on'
  const watching = playWebRtc(video, WHEP, own.signal, onPicture).then(
    () => {
      result = 'ended'
    },
    (problem: Error) => {
      result = problem.message
    },
  )
  return { video, own, onPicture, watching, result: () => result }
}

test.each([
  ['new', 1000], // no packet has come through
  ['connected', 2000],
])('fail without a picture in time, and tell the server: %s', async (reached, late) => {
  const { result, onPicture } = watch()
  Connection.last.iceConnectionState = reached
  await vi.advanceTimersByTimeAsync(late - 100)
  expect(result()).toBe('going on')
  await vi.advanceTimersByTimeAsync(200)
  expect(result()).toMatch(/no picture/)
  expect(onPicture).not.toHaveBeenCalled()
  expect(Connection.last.closed).toBe(true)
  expect(requests).toEqual(['POST /whep', 'DELETE /whep/7'])
})

test('when no more pictures come the server is asked, and what it has ended is over', async () => {
  const { video, onPicture, result } = watch()
  await vi.advanceTimersByTimeAsync(10)
  video.dispatchEvent(new Event('loadeddata'))
  for (const _ of [1, 2, 3]) {
    Connection.last.pictures += 6
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(onPicture).toHaveBeenCalledOnce()
  expect(requests).toEqual(['POST /whep'])
  await vi.advanceTimersByTimeAsync(500)
  expect([requests.at(-1), result()]).toEqual(['GET /whep/7', 'going on']) // a room without pictures: it goes on
  state = 'over'
  await vi.advanceTimersByTimeAsync(500)
  expect(result()).toBe('ended')
})

test('send a sign of life every ten seconds while watching', async () => {
  const { video, own } = watch()
  await vi.advanceTimersByTimeAsync(10)
  video.dispatchEvent(new Event('loadeddata'))
  for (let look = 0; look < 41; look++) {
    Connection.last.pictures += 6
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(requests).toEqual(['POST /whep', 'GET /whep/7', 'GET /whep/7'])
  own.abort()
})

test('a connection that fails, or that a person ends, is over', async () => {
  for (const end of [() => Connection.last.fail(), (own: AbortController) => own.abort()]) {
    const { video, own, watching, result } = watch()
    await vi.advanceTimersByTimeAsync(10)
    video.dispatchEvent(new Event('loadeddata'))
    await vi.advanceTimersByTimeAsync(10)
    end(own)
    await watching
    expect(result()).toBe('ended')
  }
})

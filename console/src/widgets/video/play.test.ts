import { beforeEach, expect, test, vi } from 'vitest'
import { type Choice, play } from './play'
import { playLive } from './play-live'
import { playWebRtc } from './play-webrtc'

vi.mock('./play-live', () => ({ playLive: vi.fn() }))
vi.mock('./play-webrtc', () => ({ playWebRtc: vi.fn() }))

const OPENING = { url: 'http://video/live', whepUrl: 'http://video/whep', iceServers: [] }
const webrtc = vi.mocked(playWebRtc)
const http = vi.mocked(playLive)

beforeEach(() => {
  sessionStorage.clear()
  webrtc.mockReset().mockImplementation(async (_video, _opening, _signal, onPicture) => onPicture())
  http.mockReset().mockImplementation(async (_video, _url, _signal, onPicture) => onPicture())
})

/** Which ways showed a picture. */
async function watch(choice: Choice, signal = new AbortController().signal) {
  const ways: string[] = []
  await play(document.createElement('video'), OPENING, choice, signal, (way) => ways.push(way))
  return ways
}

test('WebRTC is taken where it works, and HTTP where a person chooses it', async () => {
  expect(await watch('auto')).toEqual(['webrtc'])
  expect(await watch('webrtc')).toEqual(['webrtc'])
  expect(await watch('http')).toEqual(['http'])
  expect(webrtc).toHaveBeenCalledTimes(2)
})

test('use HTTP where WebRTC gives no picture, for the rest of the session', async () => {
  webrtc.mockRejectedValue(new Error('no picture'))
  expect(await watch('auto')).toEqual(['http'])
  expect(await watch('auto')).toEqual(['http'])
  expect(webrtc).toHaveBeenCalledTimes(1)
})

test('a person who insists on WebRTC is not sent another way, and may try again', async () => {
  webrtc.mockRejectedValueOnce(new Error('no picture'))
  await expect(watch('webrtc')).rejects.toThrow('no picture')
  expect(await watch('webrtc')).toEqual(['webrtc'])
  expect(await watch('auto')).toEqual(['webrtc'])
  expect(http).not.toHaveBeenCalled()
})

test('pictures that break off by WebRTC do not begin again by HTTP, nor does what was stopped', async () => {
  webrtc.mockImplementation(async (_video, _opening, _signal, onPicture) => {
    onPicture()
    throw new Error('failed')
  })
  await expect(watch('auto')).rejects.toThrow('failed')
  const own = new AbortController()
  own.abort()
  webrtc.mockRejectedValue(new Error('aborted'))
  await expect(watch('auto', own.signal)).rejects.toThrow('aborted')
  expect(http).not.toHaveBeenCalled()
})

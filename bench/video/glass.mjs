/** How old a picture is when Chromium shows it, by WebRTC and by HTTP: it says in blocks of black and white when it was
 * drawn, by the clock of this machine. argv: origin of the console, URLs of WHEP and of HTTP, how many pictures. */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { chromiumPath } from '../chromium.mjs'

const require = createRequire(fileURLToPath(new URL('../../console/package.json', import.meta.url)))
const { chromium } = require('@playwright/test')
const [origin, whep, live, count] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
})

/** Runs in the page: ages in ms of so many pictures, and how long the first one took. */
async function watch({ way, url, count }) {
  const BITS = 24
  const BLOCK = 24
  const video = document.createElement('video')
  Object.assign(video, { muted: true, playsInline: true })
  document.body.append(video)
  const began = performance.now()
  let first = 0
  const ages = []
  const canvas = new OffscreenCanvas(BITS * BLOCK, BLOCK)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const enough = new Promise((resolve) => {
    const look = (now) => {
      first ||= now - began
      context.drawImage(video, 0, 0, BITS * BLOCK, BLOCK, 0, 0, BITS * BLOCK, BLOCK)
      const { data } = context.getImageData(0, BLOCK / 2, BITS * BLOCK, 1)
      let drawn = 0
      for (let bit = 0; bit < BITS; bit++) drawn = drawn * 2 + (data[4 * (bit * BLOCK + BLOCK / 2)] > 127 ? 1 : 0)
      ages.push((Math.round(performance.timeOrigin + performance.now()) - drawn) & (2 ** BITS - 1))
      if (ages.length < count) video.requestVideoFrameCallback(look)
      else resolve()
    }
    video.requestVideoFrameCallback(look)
  })
  if (way === 'whep') {
    const connection = new RTCPeerConnection()
    connection.addTransceiver('video', { direction: 'recvonly' })
    connection.ontrack = ({ track, receiver }) => {
      receiver.jitterBufferTarget = 0
      video.srcObject = new MediaStream([track])
      void video.play()
    }
    await connection.setLocalDescription()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const headers = { 'Content-Type': 'application/sdp' }
    const answer = await fetch(url, { method: 'POST', body: connection.localDescription.sdp, headers })
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
    await connection.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
  } else {
    const answer = await fetch(url)
    const media = new MediaSource()
    video.src = URL.createObjectURL(media)
    await new Promise((resolve) => media.addEventListener('sourceopen', resolve, { once: true }))
    const buffer = media.addSourceBuffer(answer.headers.get('Content-Type'))
    void (async () => {
      const reader = answer.body.getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        buffer.appendBuffer(part.value)
        await new Promise((resolve) => buffer.addEventListener('updateend', resolve, { once: true }))
        const { buffered } = buffer
        const last = buffered.length && buffered.end(buffered.length - 1)
        if (video.currentTime < buffered.start(buffered.length - 1) || last - video.currentTime > 1)
          video.currentTime = Math.max(buffered.start(buffered.length - 1), last - 0.1)
        if (video.paused) await video.play()
      }
    })()
  }
  await enough
  return { first, ages }
}

try {
  const result = {}
  for (const [way, url] of [
    ['whep', whep],
    ['http', live],
  ]) {
    const page = await browser.newPage()
    await page.goto(`${origin}/login`)
    result[way] = await page.evaluate(watch, { way, url, count: Number(count) })
    await page.close()
  }
  console.log(JSON.stringify(result))
} finally {
  await browser.close()
}

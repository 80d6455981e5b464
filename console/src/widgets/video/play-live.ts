/** Live pictures in a video element: an endless answer of fragmented MP4, by Media Source Extensions. What is late is left out. */

const BEHIND_S = 1 // more than this, and the newest picture is shown
const EDGE_S = 0.1
const BUFFERED_S = 20 // behind the shown picture

const happened = (target: EventTarget, name: string) =>
  new Promise<void>((resolve) => target.addEventListener(name, () => resolve(), { once: true }))

function stayNear(video: HTMLVideoElement, buffer: SourceBuffer) {
  const { buffered } = buffer
  if (buffered.length === 0) return
  const [first, last] = [buffered.start(buffered.length - 1), buffered.end(buffered.length - 1)]
  if (video.currentTime < first || last - video.currentTime > BEHIND_S)
    video.currentTime = Math.max(first, last - EDGE_S)
}

/** Until the pictures end; throws where there are none. `onPicture`: the first one is here. */
export async function playLive(video: HTMLVideoElement, url: string, signal: AbortSignal, onPicture: () => void) {
  const answer = await fetch(url, { signal })
  if (!answer.ok || !answer.body) throw new Error(`${answer.status}`)
  const media = new MediaSource()
  const address = URL.createObjectURL(media)
  video.src = address
  video.addEventListener('loadeddata', onPicture, { once: true, signal })
  try {
    await happened(media, 'sourceopen')
    const buffer = media.addSourceBuffer(answer.headers.get('Content-Type') ?? '')
    const reader = answer.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      buffer.appendBuffer(part.value)
      await happened(buffer, 'updateend')
      stayNear(video, buffer)
      if (video.paused) await video.play().catch(() => undefined)
      if (video.currentTime > 2 * BUFFERED_S && buffer.buffered.start(0) < video.currentTime - 2 * BUFFERED_S) {
        buffer.remove(0, video.currentTime - BUFFERED_S)
        await happened(buffer, 'updateend')
      }
    }
  } finally {
    URL.revokeObjectURL(address)
  }
}

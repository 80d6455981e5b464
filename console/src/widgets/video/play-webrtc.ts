/** Live pictures in a video element by WebRTC: an offer to the server (WHEP), pictures by UDP. Nothing waits for what is lost. */

const CONNECTED_MS = 1000 // until packets have come through, or UDP counts as blocked: HTTP shows a picture a second later
const FIRST_PICTURE_MS = 1000 // from then on
const ADDRESSES_MS = 200 // for the browser to find its own; the server learns it from the first packet anyway
const LOOK_MS = 500 // without a picture for so long, the server is asked whether there will be more
const ALIVE_LOOKS = 20 // and as often anyway: who is silent for a minute has gone
const SDP = 'application/sdp'
const REACHED: readonly RTCIceConnectionState[] = ['connected', 'completed']
const OVER: readonly RTCPeerConnectionState[] = ['failed', 'closed', 'disconnected']

export interface Whep {
  whepUrl: string
  iceServers: { urls: string; username: string | null; credential: string | null }[]
}

const toServer = ({ urls, username, credential }: Whep['iceServers'][number]): RTCIceServer => ({
  urls,
  ...(username && { username }),
  ...(credential && { credential }),
})

const findAddresses = (connection: RTCPeerConnection) =>
  new Promise<void>((resolve) => {
    const look = () => connection.iceGatheringState === 'complete' && resolve()
    connection.addEventListener('icegatheringstatechange', look)
    setTimeout(resolve, ADDRESSES_MS)
    look()
  })

/** Opens the connection; its URL ends it. */
async function connect(connection: RTCPeerConnection, whepUrl: string, signal: AbortSignal) {
  connection.addTransceiver('video', { direction: 'recvonly' })
  await connection.setLocalDescription()
  await findAddresses(connection)
  const body = connection.localDescription?.sdp ?? ''
  const answer = await fetch(whepUrl, { method: 'POST', body, headers: { 'Content-Type': SDP }, signal })
  if (!answer.ok) throw new Error(`${answer.status}`)
  await connection.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
  return new URL(answer.headers.get('Location') ?? '', whepUrl)
}

async function countPictures(connection: RTCPeerConnection) {
  const stats: RTCStatsReport = await connection.getStats()
  return [...stats.values()].reduce((count, { framesDecoded = 0 }) => count + framesDecoded, 0)
}

/** A browser learns seconds late that the other side has closed the connection. */
function lookForEnd(connection: RTCPeerConnection, place: URL, onEnd: () => void) {
  let pictures = 0
  let looks = 0
  const timer = setInterval(async () => {
    const before = pictures
    pictures = await countPictures(connection)
    looks += 1
    if (pictures > before && looks % ALIVE_LOOKS > 0) return
    const answer = await fetch(place).catch(() => undefined) // without the server the connection may go on
    if ((await answer?.text()) === 'over') onEnd()
  }, LOOK_MS)
  return () => clearInterval(timer)
}

/** Comes when a picture should have come: false. */
async function isLate(connection: RTCPeerConnection) {
  await new Promise((resolve) => setTimeout(resolve, CONNECTED_MS))
  if (REACHED.includes(connection.iceConnectionState))
    await new Promise((resolve) => setTimeout(resolve, FIRST_PICTURE_MS))
  return false
}

/** Until the pictures end. Throws where none has come in time: UDP is blocked, or the server does not speak it. */
export async function playWebRtc(
  video: HTMLVideoElement,
  { whepUrl, iceServers }: Whep,
  signal: AbortSignal,
  onPicture: () => void,
) {
  const connection = new RTCPeerConnection({ iceServers: iceServers.map(toServer) })
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
    connection.addEventListener('connectionstatechange', () => {
      if (OVER.includes(connection.connectionState)) resolve()
    })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  let stopLooking = () => {}
  let place: URL | undefined
  try {
    const first = new Promise<boolean>((resolve) => {
      video.addEventListener('loadeddata', () => resolve(true), { once: true, signal })
      void over.then(() => resolve(false))
    })
    connection.addEventListener('track', ({ track, receiver }) => {
      receiver.jitterBufferTarget = 0
      video.srcObject = new MediaStream([track])
      void video.play().catch(() => undefined)
    })
    place = await connect(connection, whepUrl, signal)
    if (!(await Promise.race([first, isLate(connection)]))) throw new Error('no picture came by WebRTC')
    onPicture()
    stopLooking = lookForEnd(connection, place, end)
    await over
  } finally {
    stopLooking()
    connection.close()
    video.srcObject = null
    if (place) void fetch(place, { method: 'DELETE', keepalive: true }).catch(() => undefined)
  }
}

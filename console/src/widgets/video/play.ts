/** Which way live pictures take: WebRTC where it works, else HTTP; where it has failed once, HTTP for the rest of the session. */
import { playLive } from './play-live'
import { playWebRtc, type Whep } from './play-webrtc'

export type Way = 'webrtc' | 'http'
export const CHOICES = ['auto', 'webrtc', 'http'] as const
export type Choice = (typeof CHOICES)[number]

export const isChoice = (value: unknown): value is Choice => CHOICES.some((choice) => choice === value)

const STORE = 'lustra-video-blocked'

const isBlocked = () => sessionStorage.getItem(STORE) === 'true'

/** Until the pictures end; throws where there are none. `onPicture`: the first one is here, by this way. */
export async function play(
  video: HTMLVideoElement,
  opening: Whep & { url: string },
  choice: Choice,
  signal: AbortSignal,
  onPicture: (way: Way) => void,
) {
  if (choice === 'webrtc' || (choice === 'auto' && !isBlocked())) {
    let played = false
    try {
      return await playWebRtc(video, opening, signal, () => {
        played = true
        onPicture('webrtc')
      })
    } catch (problem) {
      if (played || signal.aborted || choice === 'webrtc') throw problem
      sessionStorage.setItem(STORE, 'true')
    }
  }
  await playLive(video, opening.url, signal, () => onPicture('http'))
}

/** One camera, watched: begun by a person, ended by a person, by time, by rights or by a broken line. */
import { useEffect, useRef, useState } from 'react'
import { useSend } from '@/shared/rpc/hooks'
import { type Choice, play, type Way } from './play'
import type { Whep } from './play-webrtc'

export type LiveState = 'stopped' | 'waiting' | 'playing' | 'ended'

export function useLive(deviceSerialNumber: string, camera: string, action: string) {
  const video = useRef<HTMLVideoElement>(null)
  const ending = useRef<AbortController>(undefined)
  const [state, setState] = useState<LiveState>('stopped')
  const [way, setWay] = useState<Way>()
  const begin = useSend('/qiniuQvs/startStream', { action })
  useEffect(() => () => ending.current?.abort(), [])

  const leave = () => {
    ending.current?.abort()
    video.current?.removeAttribute('src')
    video.current?.load()
  }
  const watch = async (opening: Whep & { url: string }, choice: Choice) => {
    const own = new AbortController()
    ending.current = own
    const onPicture = (way: Way) => {
      setWay(way)
      setState('playing')
    }
    if (video.current) await play(video.current, opening, choice, own.signal, onPicture).catch(() => undefined)
    if (!own.signal.aborted) setState('ended')
  }
  const start = (choice: Choice) => {
    leave()
    setState('waiting')
    begin.mutate(
      { deviceSerialNumber, camera },
      { onSuccess: (opening) => void watch(opening, choice), onError: () => setState('stopped') },
    )
  }
  const stop = () => {
    leave()
    setState('stopped')
  }
  /** The pictures go on; only their end is later. */
  const renew = () => begin.mutate({ deviceSerialNumber, camera })
  return { video, state, way, start, stop, renew, busy: begin.isPending }
}

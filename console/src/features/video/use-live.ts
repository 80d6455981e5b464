/** One camera, watched: begun by a person, ended by a person, by time, by rights or by a broken line. */
import { useEffect, useRef, useState } from 'react'
import { useSend } from '@/shared/rpc/hooks'
import { playLive } from './play-live'

export type LiveState = 'stopped' | 'waiting' | 'playing' | 'ended'

export function useLive(deviceSerialNumber: string, camera: string, action: string) {
  const video = useRef<HTMLVideoElement>(null)
  const ending = useRef<AbortController>(undefined)
  const [state, setState] = useState<LiveState>('stopped')
  const begin = useSend('/qiniuQvs/startStream', { action })
  useEffect(() => () => ending.current?.abort(), [])

  const leave = () => {
    ending.current?.abort()
    video.current?.removeAttribute('src')
    video.current?.load()
  }
  const watch = async (url: string) => {
    const own = new AbortController()
    ending.current = own
    if (video.current) await playLive(video.current, url, own.signal, () => setState('playing')).catch(() => undefined)
    if (!own.signal.aborted) setState('ended')
  }
  const start = () => {
    leave()
    setState('waiting')
    begin.mutate(
      { deviceSerialNumber, camera },
      { onSuccess: ({ url }) => void watch(url), onError: () => setState('stopped') },
    )
  }
  const stop = () => {
    leave()
    setState('stopped')
  }
  /** The pictures go on; only their end is later. */
  const renew = () => begin.mutate({ deviceSerialNumber, camera })
  return { video, state, start, stop, renew, busy: begin.isPending }
}

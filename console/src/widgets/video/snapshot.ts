/** The picture that is shown, saved as a file. */
import dayjs from 'dayjs'

export function saveSnapshot(video: HTMLVideoElement, name: string) {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const link = document.createElement('a')
  link.download = `${name}-${dayjs().format('YYYYMMDD-HHmmss')}.png`
  link.href = canvas.toDataURL('image/png')
  link.click()
}

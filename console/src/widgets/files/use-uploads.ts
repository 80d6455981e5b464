/** Picked files on their way to the store: each is sent once, and taken back where nothing came of it. */
import { useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { upload } from '@/shared/rpc/upload'
import { PART, uploadParts } from './upload-parts'

/** `folder`: where they are stored in the account's files. */
export function useUploads(folder: string) {
  const { t } = useTranslation('document')
  const errorText = useErrorText()
  const sent = useRef(new Map<File, string>())
  const stop = useRef<AbortController>(undefined)
  const [part, setPart] = useState<number>()
  const [waiting, setWaiting] = useState(false)
  const [fault, setFault] = useState<string>()

  /** The paths by which the server knows them; undefined where one was refused, which is said. */
  const send = async (files: readonly (readonly [File, string])[]): Promise<readonly string[] | undefined> => {
    const waiting = files.filter(([file, name]) => sent.current.get(file) !== `${folder}/${name}`)
    const total = waiting.reduce((sum, [file]) => sum + file.size, 0) || 1
    let done = 0
    setFault(undefined)
    try {
      for (const [file, name] of waiting) {
        const onProgress = (bytes: number) => setPart((done + bytes) / total)
        stop.current = new AbortController()
        const { signal } = stop.current
        if (file.size > PART) await uploadParts(file, folder, name, { onProgress, onWaiting: setWaiting, signal })
        else await sendWhole(file, folder, name, { onProgress: (share) => onProgress(share * file.size), signal })
        done += file.size
        sent.current.set(file, `${folder}/${name}`)
      }
      return files.map(([, name]) => `${folder}/${name}`)
    } catch (why) {
      const given = why instanceof DOMException && why.name === 'AbortError'
      setFault(why instanceof Error && !given ? errorText(why, t('upload')) : undefined)
      return undefined
    } finally {
      setPart(undefined)
      setWaiting(false)
    }
  }

  /** Nobody will need them: the server takes the paths joined by commas. */
  const discard = () => {
    stop.current?.abort()
    const paths = [...sent.current.values()]
    sent.current.clear()
    if (paths.length > 0) void call('/oss/delete', { savePath: paths.join(',') as never }).catch(() => undefined)
  }

  return { part, waiting, fault, setFault, send, discard }
}

function sendWhole(file: File, folder: string, name: string, options: Parameters<typeof upload>[2]) {
  const form = new FormData()
  form.append('isPrivate', 'false')
  form.append('targetPath', folder)
  form.append('file', file, name)
  return upload('/oss/upload', form, options)
}

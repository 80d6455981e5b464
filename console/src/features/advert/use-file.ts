/** One picked file: looked at before it is sent, and sent once even where what follows is refused. */
import { useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { upload } from '@/shared/rpc/upload'
import { fileFault } from './files'

export function useFile() {
  const { t } = useTranslation('advert')
  const errorText = useErrorText()
  const [picked, setPicked] = useState<File>()
  const [fault, setFault] = useState<string>()
  const [part, setPart] = useState<number>()
  const uploaded = useRef<string>(undefined)
  const pick = async (files: readonly File[]) => {
    const wrong = await fileFault(files)
    uploaded.current = undefined
    setFault(wrong && t(wrong))
    setPicked(wrong ? undefined : files[0])
  }
  /** What the server calls the stored file; undefined without one, or where it was refused. */
  const send = async (anew: boolean): Promise<string | undefined> => {
    if (!picked || (uploaded.current && !anew)) return picked && uploaded.current
    const form = new FormData()
    form.append('file', picked)
    setPart(0)
    try {
      uploaded.current = (await upload('/device/uploadAdvertising', form, { onProgress: setPart })).file
      return uploaded.current
    } catch (why) {
      setFault(why instanceof Error ? errorText(why, t('upload')) : undefined)
      return undefined
    } finally {
      setPart(undefined)
    }
  }
  return { picked, fault, part, pick: (files: readonly File[]) => void pick(files), send }
}

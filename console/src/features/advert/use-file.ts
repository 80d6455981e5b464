/** One picked file: looked at before it is sent, and sent once even where what follows is refused. */
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '@/shared/rpc/error-text'
import { upload } from '@/shared/rpc/upload'
import { fileFault } from './files'

export function useFile() {
  const { t } = useTranslation('advert')
  const said = useErrorText()
  const [picked, setPicked] = useState<File>()
  const [fault, setFault] = useState<string>()
  const [part, setPart] = useState<number>()
  const kept = useRef<string>(undefined)
  const pick = async (files: readonly File[]) => {
    const wrong = await fileFault(files)
    kept.current = undefined
    setFault(wrong && t(wrong))
    setPicked(wrong ? undefined : files[0])
  }
  /** What the server calls the stored file; undefined without one, or where it was refused. */
  const send = async (anew: boolean): Promise<string | undefined> => {
    if (!picked || (kept.current && !anew)) return picked && kept.current
    const form = new FormData()
    form.append('file', picked)
    setPart(0)
    try {
      kept.current = (await upload('/device/uploadAdvertising', form, { onProgress: setPart })).file
      return kept.current
    } catch (why) {
      setFault(why instanceof Error ? said(why, t('upload')) : undefined)
      return undefined
    } finally {
      setPart(undefined)
    }
  }
  return { picked, fault, part, pick: (files: readonly File[]) => void pick(files), send }
}

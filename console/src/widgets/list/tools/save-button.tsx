/** Fetches a file and saves it; while it comes the button turns, and a refusal is shown. */
import { type Icon, IconFileSpreadsheet } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { saveAs } from '@/shared/save-as'
import { notice } from '@/shared/ui/notice'

/** Whether one is on its way, and what fetches and saves one. */
export function useSaving(): [busy: boolean, save: (file: string, fetch: () => Promise<Blob>) => Promise<void>] {
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const save = async (file: string, fetch: () => Promise<Blob>) => {
    setBusy(true)
    try {
      saveAs(await fetch(), file)
    } catch (error) {
      const text = errorText(error)
      if (text) notice('error', text)
    } finally {
      setBusy(false)
    }
  }
  return [busy, save]
}

interface Props {
  file: string
  label?: string
  icon?: Icon
  disabled?: boolean
  fetch(): Promise<Blob>
  children: ReactNode
}

export function SaveButton({ file, label, icon: Icon = IconFileSpreadsheet, disabled, fetch, children }: Props) {
  const [busy, save] = useSaving()
  return (
    <Button
      icon={<Icon size={16} stroke={1.75} />}
      loading={busy}
      disabled={disabled}
      title={file}
      aria-label={label}
      onClick={() => void save(file, fetch)}
    >
      {children}
    </Button>
  )
}

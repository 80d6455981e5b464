/** Fetches a spreadsheet and saves it; while it comes the button turns, and a refusal is shown. */
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { saveAs } from '@/shared/rpc/upload'
import { notice } from '@/shared/ui/notice'

interface Props {
  file: string
  label?: string
  disabled: boolean
  fetch(): Promise<Parameters<typeof saveAs>[0]>
  children: ReactNode
}

export function ExportButton({ file, label, disabled, fetch, children }: Props) {
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveAs(await fetch(), file)
    } catch (error) {
      const text = errorText(error as Error)
      if (text) notice('error', text)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      icon={<IconFileSpreadsheet size={16} stroke={1.75} />}
      loading={busy}
      disabled={disabled}
      title={file}
      aria-label={label}
      onClick={() => void save()}
    >
      {children}
    </Button>
  )
}

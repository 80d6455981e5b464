/** The same filter as the list, every page of it, in the viewer's time zone. */
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { raw } from '@/shared/rpc/call'
import { useErrorText } from '@/shared/rpc/error-text'
import { saveAs } from '@/shared/rpc/upload'
import { notice } from '@/shared/ui/notice'
import { type Filters, payloadOf } from './filters'

export function LogExport({ filters, disabled }: { filters: Filters; disabled: boolean }) {
  const { t } = useTranslation('log')
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const fetchIt = async () => {
    setBusy(true)
    try {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
      saveAs(await raw('/log/export', { ...payloadOf(filters), zone }), 'log.xlsx')
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
      title="log.xlsx"
      onClick={() => void fetchIt()}
    >
      {t('export')}
    </Button>
  )
}

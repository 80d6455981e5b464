/** The same filter as the list, every page of it, in the viewer's time zone. */
import { useTranslation } from 'react-i18next'
import { raw } from '@/shared/rpc/call'
import { ExportButton } from '@/widgets/list/export-button'
import { type Filters, payloadOf } from './filters'

export function LogExport({ filters, disabled }: { filters: Filters; disabled: boolean }) {
  const { t } = useTranslation('log')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <ExportButton file="log.xlsx" disabled={disabled} fetch={() => raw('/log/export', { ...payloadOf(filters), zone })}>
      {t('export')}
    </ExportButton>
  )
}

import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { DownloadButton } from '@/widgets/files/download-button'
import type { FileOfDocument } from './rows'

export function FileLink({ document, file }: { document: number; file: FileOfDocument }) {
  const { t } = useTranslation('document')
  return (
    <DownloadButton
      file={file}
      label={(name) => t('download-file', { name })}
      findUrl={() => call('/file/downloadUrl', { id: document, file: file.path })}
    />
  )
}

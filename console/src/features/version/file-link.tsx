import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { DownloadButton } from '@/widgets/files/download-button'
import type { FileOfVersion } from './rows'

export function FileLink({ file }: { file: FileOfVersion }) {
  const { t } = useTranslation('version')
  return (
    <DownloadButton
      file={file}
      label={(name) => t('download-named', { name })}
      findUrl={() => call('/version/downloadUrl', { id: file.id })}
    />
  )
}

/** Publishes what is not published, and takes back what is, once that was confirmed. */
import { useTranslation } from '@/shared/i18n/text'
import { ConfirmDialog } from './confirm-dialog'

interface Props {
  row: { readonly name: string; readonly published: boolean }
  action: { readonly busy: boolean; readonly problem: string | undefined }
  onConfirm(): void
  onClose(): void
}

export function PublicationDialog({ row, action, onConfirm, onClose }: Props) {
  const { t } = useTranslation('version')
  return (
    <ConfirmDialog
      title={t(row.published ? 'unpublish-named' : 'publish-named', { name: row.name })}
      text={t(row.published ? 'unpublish-means' : 'publish-means')}
      okText={t(row.published ? 'common:unpublish' : 'common:publish')}
      action={action}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  )
}

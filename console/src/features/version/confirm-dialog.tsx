/** Asks before robots get a version, or no longer do. */
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'

interface Props {
  title: string
  text: string
  okText: string
  action: { readonly busy: boolean; readonly problem: string | undefined }
  onConfirm(): void
  onClose(): void
}

export function ConfirmDialog({ title, text, okText, action, onConfirm, onClose }: Props) {
  const { t } = useTranslation('version')
  return (
    <Modal
      open
      title={title}
      okText={okText}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={onConfirm}
      onCancel={onClose}
    >
      <Text>{text}</Text>
      <Problem text={action.problem} />
    </Modal>
  )
}

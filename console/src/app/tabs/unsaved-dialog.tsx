/** Before tabs close with something that is not saved: it stays for later, or it goes. */
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'

interface Props {
  /** Titles of the tabs. */
  names: readonly string[]
  onBack(): void
  onClose(discard: boolean): void
}

export function UnsavedDialog({ names, onBack, onClose }: Props) {
  const { t } = useTranslation('shell')
  return (
    <Modal
      open
      title={t('unsaved-title')}
      onCancel={onBack}
      footer={[
        <Button key="back" onClick={onBack}>
          {t('common:back')}
        </Button>,
        <Button key="discard" danger onClick={() => onClose(true)}>
          {t('close-and-discard')}
        </Button>,
        <Button key="keep" type="primary" onClick={() => onClose(false)}>
          {t('close-and-keep')}
        </Button>,
      ]}
    >
      <p>{t('unsaved-text', { names: names.join(', ') })}</p>
    </Modal>
  )
}

/** The dialog of a robot's consumables and of its maintenance: what counts, said above both. */

import type { ModalProps } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import type { DialogProps } from '../dialog-props'

interface Props extends DialogProps, Pick<ModalProps, 'okButtonProps'> {
  title: 'consumables-of' | 'maintenance-of'
  onOk?(): void
  children: ReactNode
}

export function UpkeepSheet({ row, title, okButtonProps = { disabled: true }, onOk, onClose, children }: Props) {
  const { t } = useTranslation('upkeep')
  return (
    <Modal
      open
      width={760}
      title={t(title, { name: row.deviceCode })}
      okText={t('save')}
      cancelText={t('close')}
      okButtonProps={okButtonProps}
      onOk={() => onOk?.()}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('hours-how')} {t('warned-how')}
      </Text>
      {children}
    </Modal>
  )
}

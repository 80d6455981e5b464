/** What hardware a robot has, and what it had: parts are fitted, replaced and taken out, one by one or as in a batch. */

import { Tabs } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { Modal } from '@/shared/ui/modal'
import type { DialogProps } from '../dialog-props'
import { Fitted } from './hardware-fitted'
import { HardwareHistory } from './hardware-history'

export function HardwareDialog({ row, onClose }: DialogProps) {
  const { t } = useTranslation('asset')
  return (
    <Modal open width={760} title={t('hardware-of', { name: row.deviceCode })} footer={null} onCancel={onClose}>
      <Tabs
        destroyOnHidden
        items={[
          { key: 'now', label: t('fitted-now'), children: <Fitted robot={row} /> },
          { key: 'history', label: t('hardware-history'), children: <HardwareHistory deviceId={row.deviceId} /> },
        ]}
      />
    </Modal>
  )
}

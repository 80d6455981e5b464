/** How far robots are with the adverts that they shall show. */
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Deliveries } from '@/widgets/delivery/deliveries'

const WIDTH = 860 // px

export function OnRobots({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('advert')
  return (
    <Modal open title={t('on-robots')} footer={null} width={WIDTH} onCancel={onClose}>
      <Deliveries of="adverts" none={<Text tone="quiet">{t('no-robots-yet')}</Text>} />
    </Modal>
  )
}

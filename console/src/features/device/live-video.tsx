/** Of a row of the list: what the robot sees now; what was recorded is a page of its own. */
import { IconVideo } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { LinkButton } from '@/widgets/list/link-button'
import { videoPath } from '@/widgets/paths'
import { LiveView } from '@/widgets/video/live-view'
import type { DialogProps } from './dialog-props'

export function LiveVideo({ row, onClose }: DialogProps) {
  const { t } = useTranslation('video')
  const mayList = useMay('device/videoHistory')
  return (
    <Modal open width={760} title={`${t('common:live-video')}: ${row.deviceCode}`} footer={null} onCancel={onClose}>
      <LiveView autoStart deviceSerialNumber={row.deviceSerialNumber} />
      {mayList && (
        <Row>
          <LinkButton icon={<IconVideo size={15} />} to={videoPath(row.deviceId)}>
            {t('recordings')}
          </LinkButton>
        </Row>
      )}
    </Modal>
  )
}

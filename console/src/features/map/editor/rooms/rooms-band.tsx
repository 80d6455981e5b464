/** A map without rooms: they can be found, so that each can be cleaned at a press. */
import { Button } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import type { Rooms } from './use-rooms'

export function RoomsBand({ rooms }: { rooms: Rooms }) {
  const { t } = useTranslation('map')
  return (
    <Row wrap gap="l" lines="s" align="center" justify="between" pad="s l" surface role="status">
      {t('no-rooms')}
      <Button size="small" loading={rooms.busy} onClick={() => void rooms.find()}>
        {t('find-rooms')}
      </Button>
    </Row>
  )
}

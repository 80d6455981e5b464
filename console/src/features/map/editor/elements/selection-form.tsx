/** What can be done with several elements at once. */
import { IconCopy, IconTrash, IconVectorTriangle } from '@tabler/icons-react'
import { Button } from 'antd'
import { areRooms } from '@/canvas/document/selection'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import type { Rooms } from '../rooms/use-rooms'

interface Props {
  view: MapView
  rooms: Rooms
  count: number
  locked: boolean
}

export function SelectionForm({ view, rooms, count, locked }: Props) {
  const { t } = useTranslation('map')
  return (
    <Row stack gap="m" pad="m l" rule="above">
      <Text strong>{t('elements-chosen', { count })}</Text>
      <Row wrap gap="s">
        {areRooms(view.chosen) && (
          <Button
            size="small"
            type="primary"
            icon={<IconVectorTriangle size={15} />}
            disabled={locked}
            loading={rooms.busy}
            onClick={() => void rooms.merge()}
          >
            {t('merge-rooms')}
          </Button>
        )}
        <Button size="small" icon={<IconCopy size={15} />} disabled={locked} onClick={() => view.paste(view.chosen)}>
          {t('duplicate')}
        </Button>
        <Button
          size="small"
          icon={<IconTrash size={15} />}
          disabled={locked}
          onClick={() => view.remove(...view.editor.selection)}
        >
          {t('delete')}
        </Button>
      </Row>
    </Row>
  )
}

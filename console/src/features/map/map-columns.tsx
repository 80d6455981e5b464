/** What a list of maps says of each. */
import { Link } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { Row } from '@/shared/ui/layout'
import type { Column } from '@/widgets/list/columns'
import { mapPath } from '@/widgets/paths'
import type { MapRow } from './row'

function Name({ map }: { map: MapRow }) {
  const { t } = useTranslation('map')
  return (
    <Row as="span" inline gap="m" align="center">
      {map.closed ? (
        <bdi>{map.name}</bdi>
      ) : (
        <Link to={mapPath(map.mapId)}>
          <bdi>{map.name}</bdi>
        </Link>
      )}
      {map.loaded && <Tag tone="cleaning">{t('loaded')}</Tag>}
    </Row>
  )
}

export const COLUMNS: readonly Column<MapRow>[] = [
  { key: 'name', label: 'name', heading: true, cell: (map) => <Name map={map} /> },
  { key: 'building', label: 'building' },
  { key: 'floor', label: 'floor' },
  {
    key: 'robot',
    label: 'robot',
    value: ({ deviceId, deviceCode }, { t }) => (deviceId ? deviceCode : t('in-library')),
  },
  { key: 'area', label: 'area-size', number: true, cell: ({ area }, writing) => writing.area(area).text },
  { key: 'revision', label: 'revision-number', number: true },
  {
    key: 'updateTime',
    label: 'changed-at',
    cell: ({ updateTime }, { dateTime }) => dateTime(Date.parse(updateTime)),
  },
]

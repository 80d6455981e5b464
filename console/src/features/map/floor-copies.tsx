/** Who has the map of a floor, in which version, and what differs there from the map that is shown. */
import { IconPencil } from '@tabler/icons-react'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useRobotPart } from '@/shared/live/live'
import { Tag } from '@/shared/marks/tag'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { LinkButton } from '@/widgets/list/link-button'
import { mapPath } from '@/widgets/paths'
import { changesTo, type FloorMaps } from './copies'
import { ChangeList } from './editor/change-list'
import styles from './map.module.css'
import { MapMenu } from './map-actions'
import type { Doing } from './map-dialogs'
import type { MapRow } from './row'

interface Props {
  floor: FloorMaps
  onDoing(doing: Doing): void
}

const useOnline = ({ deviceId }: MapRow) =>
  useRobotPart(deviceId ?? undefined, ({ mode }) => mode !== 'offline') === true

export function FloorCopies({ floor: { first, maps }, onDoing }: Props) {
  const { t } = useTranslation('map')
  const maySync = useMay('device/maplist/sync') && !first.closed
  const changes = useMemo(() => new Map(maps.map((map) => [map.mapId, changesTo(first, map)])), [first, maps])
  const robots = maps.filter((map) => map.deviceId !== null)
  const same = robots.filter((map) => changes.get(map.mapId)?.length === 0).length
  return (
    <Row stack gap="s" pad="s l" rule="above">
      <Row wrap gap="m" align="center" justify="between">
        <Text as="span" size="small" strong>
          {t('copies-same', { same, all: robots.length })}
        </Text>
        {maySync && (
          <Button size="small" onClick={() => onDoing({ action: 'sync', map: first })}>
            {t('sync:sync')}
          </Button>
        )}
      </Row>
      <ul aria-label={t('copies')} className={styles.copies}>
        {maps.map((map) => (
          <Copy key={map.mapId} map={map} first={first} changes={changes.get(map.mapId)} onDoing={onDoing} />
        ))}
      </ul>
    </Row>
  )
}

interface CopyProps {
  map: MapRow
  first: MapRow
  changes: ReturnType<typeof changesTo>
  onDoing(doing: Doing): void
}

function Copy({ map, first, changes, onDoing }: CopyProps) {
  const { t } = useTranslation('map')
  const [open, setOpen] = useState(false)
  const online = useOnline(map)
  const robot = map.deviceId === null ? t('in-library') : t('on-robot', { robot: map.deviceCode })
  const isFirst = map === first
  const same = changes?.length === 0
  const comparison = () => {
    if (isFirst) return t('copy-shown')
    if (!changes) return t('copy-other-plan')
    return same ? t('copy-same') : ''
  }
  const away = !online && map.deviceId !== null ? t('offline') : ''
  return (
    <Row as="li" gap="s" align="center" data-map={map.name}>
      <Row stack grow>
        <Text as="span" size="small" cut>
          {robot} {map.loaded && <Tag tone="cleaning">{t('loaded')}</Tag>}
        </Text>
        <Text as="span" size="small" tone="soft">
          {[t('revision', { revision: map.revision }), comparison(), away].filter(Boolean).join(' · ')}
        </Text>
      </Row>
      {!isFirst && !same && changes && (
        <Button size="small" type="link" onClick={() => setOpen(true)}>
          {t('differences', { count: changes.length })}
        </Button>
      )}
      {!map.closed && (
        <LinkButton
          size="small"
          type="text"
          icon={<IconPencil size={15} />}
          to={mapPath(map.mapId)}
          aria-label={`${t('edit')}: ${robot}`}
          title={t('edit')}
        />
      )}
      <MapMenu map={map} online={online} onAction={(action) => onDoing({ action, map })} />
      {open && changes && (
        <Modal open title={robot} footer={null} onCancel={() => setOpen(false)}>
          <Text tone="quiet" below="m">
            {t('differences-how')}
          </Text>
          <ChangeList changes={changes} label={t('differences', { count: changes.length })} />
        </Modal>
      )}
    </Row>
  )
}

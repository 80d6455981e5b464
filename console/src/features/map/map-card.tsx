/** One map: its floor, whose it is, and what can be done with it here. */
import { IconPencil } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { Row, Text } from '@/shared/ui/layout'
import { LinkButton } from '@/widgets/list/link-button'
import { useDocument } from '@/widgets/map/floor'
import { FloorCanvas } from '@/widgets/map/floor-canvas'
import { mapPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import { SupportClosed } from '@/widgets/support-closed'
import { useCleanFloor } from '@/widgets/task/clean/clean-floor'
import type { FloorMaps } from './copies'
import { FloorCopies } from './floor-copies'
import styles from './map.module.css'
import { type MapAction, MapMenu } from './map-actions'
import type { Doing } from './map-dialogs'
import type { MapRow } from './row'

interface Props {
  map: MapRow
  /** Whether it says its building: its neighbours are of others. */
  building: boolean
  /** Whether the robot whose map it is answers. */
  online: boolean
  onAction(action: MapAction): void
  onDoing(doing: Doing): void
  /** The same floor's maps, where there are several. */
  floor?: FloorMaps | undefined
  /** It has just been imported. */
  fresh?: boolean
}

const NOBODY: readonly number[] = []

export function MapCard({ map, building, online, onAction, onDoing, floor: copies, fresh = false }: Props) {
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (fresh) card.current?.scrollIntoView({ block: 'center' })
  }, [fresh])
  const several = copies !== undefined && copies.maps.length > 1
  const { t } = useTranslation('map')
  const { area, extent, dateTime } = useFormats()
  const floor = useDocument(map, false)
  const { floor: named, place } = usePlace()
  const robots = (copies?.maps ?? [map]).flatMap(({ deviceId, deviceCode, mapId }) =>
    deviceId === null ? [] : [{ deviceId, deviceCode: deviceCode ?? '', mapId }],
  )
  const clean = useCleanFloor(
    map.name,
    robots,
    map.freeAreas.filter(({ name }) => name !== ''),
  )
  const where = building ? place(map.building, map.floor) : named(map.floor)
  return (
    <Row
      as="article"
      ref={card}
      stack
      surface
      className={styles.card}
      aria-label={map.name}
      {...(!several && { 'data-map': map.name })}
      {...(fresh && { 'data-fresh': true })}
    >
      <Row as="header" gap="m" align="center" pad="m l">
        <Text as="h3" grow cut>
          {map.name}
        </Text>
        {clean.button}
        {fresh && <Tag tone="moving">{t('new-map')}</Tag>}
        {map.loaded && !several && <Tag tone="cleaning">{t('loaded')}</Tag>}
      </Row>
      <Row align="center" justify="center" className={styles.picture}>
        {floor.document ? (
          <FloorCanvas
            document={floor.document}
            robots={NOBODY}
            furniture
            label={t('map-named', { name: map.name })}
            onTap={clean.onTap}
          />
        ) : floor.closed ? (
          <SupportClosed ownerId={map.ownerUserId} />
        ) : (
          floor.missing && (
            <Text size="small" tone="soft">
              {t('alarm-map-load')}
            </Text>
          )
        )}
      </Row>
      <Row stack grow pad="s l">
        <span>{where || t('no-floor')}</span>
        <Text as="span" size="small" tone="soft">
          {t('free-floor', { area: area(map.area).text })} ·{' '}
          {extent(map.width * map.resolution, map.height * map.resolution, 1)}
        </Text>
        {!several && (
          <Text as="span" size="small" tone="soft">
            {map.deviceId === null ? t('in-library') : t('on-robot', { robot: map.deviceCode })} ·{' '}
            {t('revision', { revision: map.revision })} · {dateTime(Date.parse(map.updateTime))}
            {!online && map.deviceId !== null && ` · ${t('offline')}`}
          </Text>
        )}
      </Row>
      {clean.dialog}
      {several && <FloorCopies floor={copies} onDoing={onDoing} />}
      {!several && (
        <Row as="footer" gap="s" align="center" pad="m l">
          {!map.closed && (
            <LinkButton size="small" icon={<IconPencil size={15} />} to={mapPath(map.mapId)}>
              {t('edit')}
            </LinkButton>
          )}
          <Row as="span" gap="s" end>
            <MapMenu map={map} online={online} onAction={onAction} />
          </Row>
        </Row>
      )}
    </Row>
  )
}

/** One map: its floor, whose it is, and what can be done with it here. */
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { LinkButton } from '@/widgets/list/link-button'
import { useDocument } from '@/widgets/map/floor'
import { FloorCanvas } from '@/widgets/map/floor-canvas'
import { mapPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import { SupportClosed } from '@/widgets/support-closed'
import styles from './map.module.css'
import { type MapAction, MapMenu } from './map-actions'
import type { MapRow } from './row'

interface Props {
  map: MapRow
  /** Whether the robot whose map it is answers. */
  online: boolean
  onAction(action: MapAction): void
}

const NOBODY: readonly number[] = []

export function MapCard({ map, online, onAction }: Props) {
  const { t } = useTranslation('map')
  const { area, number, dateTime } = useFormats()
  const floor = useDocument(map, false)
  const { floor: named } = usePlace()
  return (
    <article className={styles.card} aria-label={map.name}>
      <header>
        <h3>{map.name}</h3>
        {map.loaded && <span className={styles.loaded}>{t('loaded')}</span>}
      </header>
      <div className={styles.picture}>
        {floor.document ? (
          <FloorCanvas document={floor.document} robots={NOBODY} furniture label={t('map-named', { name: map.name })} />
        ) : floor.closed ? (
          <SupportClosed ownerId={map.ownerUserId} />
        ) : (
          floor.missing && <p className={styles.remark}>{t('no-picture')}</p>
        )}
      </div>
      <div className={styles.facts}>
        <span>{map.floor ? named(map.floor) : t('no-floor')}</span>
        <span className={styles.remark}>
          {t('free-floor', { area: area(map.area).text })} ·{' '}
          <bdi dir="ltr">
            {number(map.width)} × {number(map.height)}
          </bdi>
        </span>
        <span className={styles.remark}>
          {map.deviceId === null ? t('in-library') : t('on-robot', { robot: map.deviceCode })} ·{' '}
          {t('revision', { revision: map.revision })} · {dateTime(Date.parse(map.updateTime))}
          {!online && map.deviceId !== null && ` · ${t('offline')}`}
        </span>
      </div>
      <footer>
        {!map.closed && (
          <LinkButton size="small" icon={<IconPencil size={15} />} to={mapPath(map.mapId)}>
            {t('edit')}
          </LinkButton>
        )}
        <span className={styles.rest}>
          <MapMenu map={map} online={online} onAction={onAction} />
        </span>
      </footer>
    </article>
  )
}

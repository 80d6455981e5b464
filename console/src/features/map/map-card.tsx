/** One map: its floor, whose it is, and what can be done with it here. */
import { IconBolt, IconDownload, IconPencil, IconRobot, IconTrash } from '@tabler/icons-react'
import { Button, Popconfirm, Tooltip } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { raw } from '@/shared/rpc/call'
import { useSend } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/rpc/session'
import { saveAs } from '@/shared/rpc/upload'
import { useDocument } from '@/widgets/floor'
import { FloorCanvas } from '@/widgets/floor-canvas'
import { LinkButton } from '@/widgets/link-button'
import { mapPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import { SupportClosed } from '@/widgets/support-closed'
import styles from './map.module.css'
import type { MapRow } from './row'

interface Props {
  map: MapRow
  onGive(): void
  onCharger(): void
}

const NOBODY: readonly number[] = []

export function MapCard({ map, onGive, onCharger }: Props) {
  const { t } = useTranslation('map')
  const { area, number, dateTime } = useFormats()
  const mayDelete = useMay('device/maplist/delete')
  const remove = useSend('/map/deleteMapById', { action: t('delete') })
  const floor = useDocument(map, false)
  const { place } = usePlace()
  const download = async () => saveAs(await raw('/map/bundle', { mapId: map.mapId }), `${map.name}.zip`)
  const icon = (label: string, sign: React.ReactNode, act?: () => void) => (
    <Tooltip title={label}>
      <Button size="small" icon={sign} aria-label={`${label}: ${map.name}`} {...(act && { onClick: act })} />
    </Tooltip>
  )
  return (
    <article className={styles.card}>
      <header>
        <h2>{map.name}</h2>
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
        <span>{place(map.building, map.floor) || t('no-place')}</span>
        <span className={styles.remark}>
          {t('free-floor', { area: area(map.area).text })} ·{' '}
          <bdi dir="ltr">
            {number(map.width)} × {number(map.height)}
          </bdi>
        </span>
        <span className={styles.remark}>
          {map.deviceId === null ? t('in-library') : t('on-robot', { robot: map.deviceCode })} ·{' '}
          {t('revision', { revision: map.revision })} · {dateTime(Date.parse(map.updateTime))}
        </span>
      </div>
      <footer>
        {!map.closed && (
          <LinkButton size="small" icon={<IconPencil size={15} />} to={mapPath(map.mapId)}>
            {t('edit')}
          </LinkButton>
        )}
        {!map.closed && (
          <Button size="small" icon={<IconRobot size={15} />} onClick={onGive}>
            {t('give')}
          </Button>
        )}
        {map.deviceId !== null && !map.closed && (
          <Button size="small" icon={<IconBolt size={15} />} onClick={onCharger}>
            {t('place-charger')}
          </Button>
        )}
        <span className={styles.rest}>
          {!map.closed && icon(t('download'), <IconDownload size={15} />, () => void download())}
          {mayDelete && map.deviceId === null && (
            <Popconfirm
              title={t('delete-confirm', { name: map.name })}
              okText={t('delete')}
              okButtonProps={{ danger: true }}
              cancelText={t('back')}
              onConfirm={() => remove.mutate({ mapId: map.mapId })}
            >
              {icon(t('delete'), <IconTrash size={15} />)}
            </Popconfirm>
          )}
        </span>
      </footer>
    </article>
  )
}

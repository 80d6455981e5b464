/** What can be done with a map of the list beside drawing on it: one array, behind three dots. */
import {
  IconBolt,
  IconCloudOff,
  IconDots,
  IconDownload,
  IconForms,
  IconMapPinCheck,
  IconRefreshDot,
  IconSend,
  IconTrash,
  type Icon as Mark,
} from '@tabler/icons-react'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/shared/rpc/session'
import styles from './map.module.css'
import type { MapRow } from './row'

export type Deed = 'give' | 'sync' | 'load' | 'charger' | 'name' | 'download' | 'delete' | 'forget'

interface Action {
  readonly deed: Deed
  readonly label: string
  readonly icon: Mark
  readonly shown: boolean
  /** Why not now; '' when it can be done. */
  readonly blocked?: string
  readonly danger?: boolean
}

/** `online`: whether the robot whose map it is answers. A robot's own map is changed at the robot. */
function useMapActions(map: MapRow, online: boolean): readonly Action[] {
  const { t } = useTranslation('map')
  const draws = useMay('device/maplist') && !map.closed
  const syncs = useMay('device/maplist/sync') && !map.closed
  const deletes = useMay('device/maplist/delete')
  const own = map.deviceId !== null
  const offline = own && !online ? t('robot-offline') : ''
  const loaded = map.loaded ? t('robot:no-map-in-use') : ''
  return [
    { deed: 'give', label: t('give'), icon: IconSend, shown: draws },
    { deed: 'sync', label: t('sync:sync'), icon: IconRefreshDot, shown: syncs },
    { deed: 'load', label: t('load'), icon: IconMapPinCheck, shown: draws && own, blocked: offline || loaded },
    { deed: 'charger', label: t('place-charger'), icon: IconBolt, shown: draws && own, blocked: offline },
    { deed: 'name', label: t('name-place'), icon: IconForms, shown: draws, blocked: offline },
    { deed: 'download', label: t('download'), icon: IconDownload, shown: draws },
    { deed: 'forget', label: t('forget'), icon: IconCloudOff, shown: deletes && own, blocked: loaded, danger: true },
    { deed: 'delete', label: t('delete'), icon: IconTrash, shown: deletes, blocked: offline || loaded, danger: true },
  ]
}

interface Props {
  map: MapRow
  online: boolean
  onDeed(deed: Deed): void
}

/** The menu comes with the first click: a list may have hundreds of these. */
export function MapMenu({ map, online, onDeed }: Props) {
  const { t } = useTranslation('map')
  const [open, setOpen] = useState<boolean>()
  const actions = useMapActions(map, online).filter(({ shown }) => shown)
  if (actions.length === 0) return null
  const button = (
    <Button
      size="small"
      icon={<IconDots size={16} stroke={1.75} />}
      aria-label={`${t('more')}: ${map.name}`}
      aria-haspopup="menu"
      {...(open === undefined ? { onClick: () => setOpen(true) } : { autoFocus: true })}
    />
  )
  if (open === undefined) return button
  return (
    <Dropdown
      trigger={['click']}
      open={open}
      onOpenChange={setOpen}
      menu={{
        items: actions.map(({ deed, label, icon: Sign, blocked, danger }) => ({
          key: deed,
          icon: <Sign size={16} stroke={1.75} />,
          label: blocked ? (
            <span className={styles.blocked}>
              {label} <small>{blocked}</small>
            </span>
          ) : (
            label
          ),
          disabled: Boolean(blocked),
          danger: danger ?? false,
        })),
        onClick: ({ key }) => onDeed(key as Deed),
      }}
    >
      {button}
    </Dropdown>
  )
}

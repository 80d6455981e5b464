/** What can be done with a map of the list beside drawing on it: one array, behind three dots. */
import {
  IconBolt,
  IconCloudOff,
  IconDownload,
  IconForms,
  IconMapPinCheck,
  IconRefreshDot,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMay } from '@/shared/rpc/session'
import { type DotsItem, DotsMenu } from '@/widgets/dots-menu'
import type { MapRow } from './row'

export type Deed = 'give' | 'sync' | 'load' | 'charger' | 'name' | 'download' | 'delete' | 'forget'

interface Action extends DotsItem<Deed> {
  readonly shown: boolean
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
    { key: 'give', label: t('give'), icon: IconSend, shown: draws },
    { key: 'sync', label: t('sync:sync'), icon: IconRefreshDot, shown: syncs },
    { key: 'load', label: t('load'), icon: IconMapPinCheck, shown: draws && own, blocked: offline || loaded },
    { key: 'charger', label: t('place-charger'), icon: IconBolt, shown: draws && own, blocked: offline },
    { key: 'name', label: t('name-place'), icon: IconForms, shown: draws, blocked: offline },
    { key: 'download', label: t('download'), icon: IconDownload, shown: draws },
    { key: 'forget', label: t('forget'), icon: IconCloudOff, shown: deletes && own, blocked: loaded, danger: true },
    { key: 'delete', label: t('delete'), icon: IconTrash, shown: deletes, blocked: offline || loaded, danger: true },
  ]
}

interface Props {
  map: MapRow
  online: boolean
  onDeed(deed: Deed): void
}

export function MapMenu({ map, online, onDeed }: Props) {
  const actions = useMapActions(map, online)
  return <DotsMenu name={map.name} items={actions.filter(({ shown }) => shown)} onPick={onDeed} />
}

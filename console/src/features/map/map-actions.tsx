/** What can be done with a map of the list beside drawing on it: one array, behind three dots. */
import {
  IconBolt,
  IconCloudOff,
  IconDownload,
  IconFlame,
  IconForms,
  IconMapPinCheck,
  IconQrcode,
  IconRefreshDot,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import type { Command } from '@/shared/relay/contract'
import { useMay } from '@/shared/session/session'
import { type DotsItem, DotsMenu } from '@/widgets/list/dots-menu'
import { has } from '@/widgets/robot/robot'
import { commandsOf, type MapRow } from './row'

export type MapAction =
  | 'heat'
  | 'give'
  | 'sync'
  | 'load'
  | 'charger'
  | 'name'
  | 'download'
  | 'sheets'
  | 'delete'
  | 'forget'

interface Action extends DotsItem<MapAction> {
  readonly available: boolean
}

/** `online`: whether the robot whose map it is answers. A robot's own map is changed at the robot. */
function useMapActions(map: MapRow, online: boolean): readonly Action[] {
  const { t } = useTranslation('map')
  const draws = useMay('device/maplist') && !map.closed
  const syncs = useMay('device/maplist/sync') && !map.closed
  const deletes = useMay('device/maplist/delete')
  const reads = useMay('device/report') && !map.closed
  const checks = useMay('device/spotCheck') && !map.closed
  const own = map.deviceId !== null
  const offline = own && !online ? t('robot-offline') : ''
  const takes = (command: Command) => !own || has(commandsOf(map), command)
  const loaded = map.loaded ? t('robot:no-map-in-use') : ''
  return [
    { key: 'heat', label: t('heat'), icon: IconFlame, available: reads },
    { key: 'sheets', label: t('spot-sheets'), icon: IconQrcode, available: checks },
    { key: 'give', label: t('give'), icon: IconSend, available: draws },
    { key: 'sync', label: t('sync:sync'), icon: IconRefreshDot, available: syncs },
    {
      key: 'load',
      label: t('load'),
      icon: IconMapPinCheck,
      available: draws && own && takes('map_load'),
      blocked: offline || loaded,
    },
    {
      key: 'charger',
      label: t('place-charger'),
      icon: IconBolt,
      available: draws && own && takes('map_flag_add'),
      blocked: offline,
    },
    {
      key: 'name',
      label: t('name-place'),
      icon: IconForms,
      available: draws && takes('map/CloudInfoUpdate'),
      blocked: offline,
    },
    { key: 'download', label: t('download'), icon: IconDownload, available: draws },
    { key: 'forget', label: t('forget'), icon: IconCloudOff, available: deletes && own, blocked: loaded, danger: true },
    {
      key: 'delete',
      label: t('delete'),
      icon: IconTrash,
      available: deletes && takes('map_del'),
      blocked: offline || loaded,
      danger: true,
    },
  ]
}

interface Props {
  map: MapRow
  online: boolean
  onAction(action: MapAction): void
}

export function MapMenu({ map, online, onAction }: Props) {
  const actions = useMapActions(map, online)
  return <DotsMenu name={map.name} items={actions.filter(({ available }) => available)} onPick={onAction} />
}

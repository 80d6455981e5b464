/** Changes the robot's map: its own list, and the warning that a change ends all tasks. Needs control. */
import { useQuery } from '@tanstack/react-query'
import { App, Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { useMay } from '@/shared/session/session'
import type { ControlRow } from '../control-row'
import { useScope } from '../scope'

export function SwitchMap({ row }: { row: ControlRow }) {
  const { deviceId, inControl, actions } = useScope()
  const { t } = useTranslation('control')
  const { modal } = App.useApp()
  const may = useMay('device/maplist')
  const online = row.mode !== 'offline'
  const maps = useQuery({
    queryKey: ['relay', deviceId, 'map_list', row.mapRevision],
    queryFn: async ({ signal }) => (await relayCall(deviceId, 'map_list', {}, signal)).list,
    enabled: online,
    meta: { quiet: true },
  })
  const load = (name: string) => {
    void modal.confirm({
      title: t('load-named', { name }),
      content: t('map-change-ends-tasks'),
      okText: t('switch-map'),
      cancelText: t('cancel'),
      onOk: () => actions.load(name, row.run),
    })
  }
  return (
    <Select
      size="small"
      aria-label={t('map')}
      title={inControl ? t('map') : t('needs-control')}
      style={{ minWidth: 160, maxWidth: 260 }}
      value={row.mapName || null}
      placeholder={t('banner-map-not-selected')}
      disabled={!online || !inControl || !may}
      loading={maps.isFetching}
      onOpenChange={(open) => open && void maps.refetch()}
      onChange={load}
      options={(maps.data ?? []).map(({ name }) => ({ value: name, label: name }))}
    />
  )
}

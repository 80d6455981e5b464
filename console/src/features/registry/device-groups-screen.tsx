/** /device/group: named sets of devices, alike by their type. The route's name is deviceGroup. */
import { IconListSearch } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { deviceLabel } from '@/widgets/form/device-picker'
import { LinkButton } from '@/widgets/list/link-button'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { required } from './rules'

type GroupRow = Answer<'/deviceGroup/selectAll'>['list'][number]

const TYPES = ['group-ordinary', 'group-same-project', 'group-same-map', 'group-same-building'] as const
const NAMED = 5

const useDevices = () => useCall('/device/selectAllDevice', {}).data?.list ?? []

function Names({ group }: { group: GroupRow }) {
  const names = new Map(useDevices().map(({ deviceId, deviceCode }) => [deviceId, deviceCode]))
  const listed = group.deviceIds.slice(0, NAMED).map((id) => names.get(id) ?? String(id))
  return (
    <Text as="bdi" tone="soft">
      {listed.join(' · ')}
    </Text>
  )
}

/** What its type promises; a device may have moved since. */
function Common({ group }: { group: GroupRow }) {
  const { t } = useTranslation('registry')
  if (group.type === 0 || group.deviceIds.length === 0) return null
  return group.common ? (
    <bdi>{group.common}</bdi>
  ) : (
    <Text as="span" tone="paused">
      {t('no-longer-alike')}
    </Text>
  )
}

function ShowDevices({ row }: { row: GroupRow }) {
  const { t } = useTranslation('registry')
  if (row.deviceIds.length === 0) return null
  return (
    <LinkButton
      type="text"
      size="small"
      to={`/device/index?group=${row.id}`}
      icon={<IconListSearch size={17} stroke={1.75} />}
      title={t('show-devices')}
      aria-label={`${t('show-devices')}: ${row.name}`}
    />
  )
}

function useOptions() {
  const { t } = useTranslation('registry')
  return {
    type: TYPES.map((word, value) => ({ value, label: t(word) })),
    deviceIds: useDevices().map((device) => ({ value: device.deviceId, label: deviceLabel(device) })),
  }
}

const GROUPS = resource({
  name: 'deviceGroup',
  texts: 'registry',
  label: 'device-group',
  add: 'add-group',
  empty: 'no-groups',
  list: '/deviceGroup/selectAll',
  insert: '/deviceGroup/insert',
  update: '/deviceGroup/update',
  remove: '/deviceGroup/delete',
  id: 'id',
  key: 'id',
  title: 'name',
  columns: [
    { key: 'name', label: 'name', heading: true },
    { key: 'type', label: 'group-type', value: ({ type }, { t }) => t(TYPES[type] ?? TYPES[0]) },
    { key: 'common', label: 'in-common', value: ({ common }) => common, cell: (group) => <Common group={group} /> },
    {
      key: 'devices',
      label: 'robots',
      value: ({ deviceIds }) => deviceIds.length,
      cell: (group, { number }) => (
        <>
          {number(group.deviceIds.length)} <Names group={group} />
        </>
      ),
    },
    { key: 'userName', label: 'owner' },
  ],
  fields: [
    { name: 'name', label: 'name', rule: required },
    { name: 'type', label: 'group-type', kind: 'choice' },
    { name: 'deviceIds', label: 'robots', kind: 'choices', wide: true, hint: 'group-alike' },
  ],
  start: { name: '', type: 0, deviceIds: [] },
  useOptions,
  warning: (group, { t }) =>
    group.deviceIds.length > 0 && (
      <p>
        {t('group-holds', { count: group.deviceIds.length })} <Names group={group} />
      </p>
    ),
  Actions: ShowDevices,
})

export const DeviceGroupsScreen = () => (
  <Page>
    <ResourceScreen of={GROUPS} />
  </Page>
)

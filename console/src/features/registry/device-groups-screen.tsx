/** /device/group: named sets of devices, alike by their type. The route's name is deviceGroup. */
import { IconListSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import { LinkButton } from '@/widgets/list/link-button'
import type { RegistryField } from './entry-dialog'
import { EntryDialogs, type EntryRequest, type Kind } from './entry-dialogs'
import { Ledger } from './ledger'
import styles from './registry.module.css'
import { named } from './rules'

type GroupRow = Answer<'/deviceGroup/selectAll'>['list'][number]

const GROUPS: Kind<GroupRow> = {
  insert: '/deviceGroup/insert',
  update: '/deviceGroup/update',
  remove: '/deviceGroup/delete',
  id: 'id',
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
}

const TYPES = ['group-ordinary', 'group-same-project', 'group-same-map', 'group-same-building']
const NEW = { name: '', type: 0, deviceIds: [] }
const NAMED = 5

export function DeviceGroupsScreen() {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const query = useCall('/deviceGroup/selectAll', {})
  const [request, ask] = useState<EntryRequest<GroupRow>>()
  const devices = useCall('/device/selectAllDevice', {})
  const known = useMemo(
    () => new Map((devices.data?.list ?? []).map((device) => [device.deviceId, device] as const)),
    [devices.data],
  )
  const entries: RegistryField[] = useMemo(
    () => [
      { name: 'name', label: 'name', rule: named },
      {
        ...{ name: 'type', label: 'group-type', kind: 'choice' as const },
        options: TYPES.map((word, value) => ({ value, label: t(word) })),
      },
      {
        ...{ name: 'deviceIds', label: 'device', kind: 'choices' as const, wide: true, hint: 'group-alike' },
        options: [...known.values()].map((device) => ({
          value: device.deviceId,
          label: `${device.deviceCode} · ${device.deviceSerialNumber}`,
        })),
      },
    ],
    [t, known],
  )
  const namesOf = ({ deviceIds }: GroupRow) =>
    deviceIds.slice(0, NAMED).map((id) => known.get(id)?.deviceCode ?? String(id))
  const add = <AddButton onClick={() => ask('new')}>{t('add-group')}</AddButton>
  return (
    <Page>
      <div className={styles.bar}>
        <div className={styles.rest}>{add}</div>
      </div>
      <Ledger
        label={t('device-group')}
        columns={['name', 'group-type', 'in-common', 'device', 'owner']}
        query={query}
        kind={GROUPS}
        none={<Nothing why={t('no-groups')} action={add} />}
        cells={(group) => [
          t(TYPES[group.type] ?? ''),
          <Common key="common" group={group} />,
          <span key="devices">
            {number(group.deviceIds.length)} <bdi className={styles.soft}>{namesOf(group).join(' · ')}</bdi>
          </span>,
          <bdi key="owner">{group.userName}</bdi>,
        ]}
        actions={(group) =>
          group.deviceIds.length > 0 && (
            <LinkButton
              type="text"
              size="small"
              to={`/device/index?group=${group.id}`}
              icon={<IconListSearch size={17} stroke={1.75} />}
              title={t('show-devices')}
              aria-label={`${t('show-devices')}: ${group.name}`}
            />
          )
        }
        onAsk={ask}
      />
      <EntryDialogs
        kind={GROUPS}
        request={request}
        title={t('add-group')}
        entries={entries}
        start={NEW}
        query={query}
        goes={(group) =>
          group.deviceIds.length > 0 && (
            <p>
              {t('group-holds', { count: group.deviceIds.length })} <bdi>{namesOf(group).join(' · ')}</bdi>
            </p>
          )
        }
        onClose={() => ask(undefined)}
      />
    </Page>
  )
}

/** What its type promises; a device may have moved since. */
function Common({ group }: { group: GroupRow }) {
  const { t } = useTranslation('registry')
  if (group.type === 0 || group.deviceIds.length === 0) return null
  return group.common ? <bdi>{group.common}</bdi> : <span className={styles.warned}>{t('no-longer-alike')}</span>
}

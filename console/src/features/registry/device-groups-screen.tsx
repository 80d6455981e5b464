/** /device/group: named sets of devices, alike by their type. The route's name is deviceGroup. */
import { IconListSearch, IconPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing, Shown } from '@/shared/ui/shown'
import { LinkButton } from '@/widgets/link-button'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog } from './entry-dialog'
import { DeleteDialog, Ledger } from './ledger'
import styles from './registry.module.css'
import { named, type Values } from './rules'
import { useEntry } from './use-entry'

type GroupRow = Answer<'/deviceGroup/selectAll'>['list'][number]

const FIELDS = ['name', 'type', 'deviceIds']
const TYPES = ['group-ordinary', 'group-same-project', 'group-same-map', 'group-same-building']
const NEW = { name: '', type: 0, deviceIds: [] }
const NAMED = 5

export function DeviceGroupsScreen() {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const query = useCall('/deviceGroup/selectAll', {})
  const devices = useCall('/device/selectAllDevice', {})
  const make = useDeed('/deviceGroup/insert', t('add'), FIELDS)
  const change = useDeed('/deviceGroup/update', t('save'), FIELDS)
  const remove = useDeed('/deviceGroup/delete', t('delete'))
  const { open, setOpen, leaving, setLeaving, close } = useEntry<GroupRow>([make, change, remove])
  const known = useMemo(
    () => new Map((devices.data?.list ?? []).map((one) => [one.deviceId, one] as const)),
    [devices.data],
  )
  const entries: Entry[] = useMemo(
    () => [
      { name: 'name', label: 'name', rule: named },
      {
        ...{ name: 'type', label: 'group-type', kind: 'choice' as const },
        options: TYPES.map((word, value) => ({ value, label: t(word) })),
      },
      {
        ...{ name: 'deviceIds', label: 'device', kind: 'choices' as const, wide: true, hint: 'group-alike' },
        options: [...known.values()].map((one) => ({
          value: one.deviceId,
          label: `${one.deviceCode} · ${one.deviceSerialNumber}`,
        })),
      },
    ],
    [t, known],
  )
  const row = query.data?.list.find(({ id }) => id === open)
  const send = (values: Values, updateTime: string | undefined) => {
    const told = values as unknown as Parameters<typeof make.run>[0]
    if (open === 'new') make.run(told, close)
    else if (open !== undefined) change.run({ ...told, id: open, ...(updateTime && { updateTime }) }, close)
  }
  const namesOf = ({ deviceIds }: GroupRow) =>
    deviceIds.slice(0, NAMED).map((id) => known.get(id)?.deviceCode ?? String(id))
  const add = (
    <Button type="primary" icon={<IconPlus size={17} stroke={2} />} onClick={() => setOpen('new')}>
      {t('add-group')}
    </Button>
  )
  return (
    <Page>
      <div className={styles.bar}>
        <div className={styles.rest}>{add}</div>
      </div>
      <Shown
        query={query}
        isEmpty={({ list }) => list.length === 0}
        empty={<Nothing why={t('no-groups')} action={add} />}
      >
        {({ list }) => (
          <Ledger
            label={t('device-group')}
            columns={['name', 'group-type', 'in-common', 'device', 'owner']}
            rows={list}
            nameOf={(group) => group.name}
            idOf={(group) => group.id}
            cells={(group) => [
              t(TYPES[group.type] ?? ''),
              <Common key="common" group={group} />,
              <span key="devices">
                {number(group.deviceIds.length)} <bdi className={styles.soft}>{namesOf(group).join(' · ')}</bdi>
              </span>,
              <bdi key="owner">{group.userName}</bdi>,
            ]}
            deeds={(group) =>
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
            onEdit={(group) => setOpen(group.id)}
            onDelete={setLeaving}
          />
        )}
      </Shown>
      {(open === 'new' || row) && (
        <EntryDialog
          title={row ? t('edit-named', { name: row.name }) : t('add-group')}
          entries={entries}
          row={row}
          start={NEW}
          deed={open === 'new' ? make : change}
          onSend={send}
          onRefresh={query.refetch}
          onClose={close}
        />
      )}
      {leaving && (
        <DeleteDialog
          name={leaving.name}
          busy={remove.busy}
          problem={remove.problem}
          onDelete={() => remove.run({ id: leaving.id, confirm: leaving.deviceIds.length > 0 }, close)}
          onClose={close}
        >
          {leaving.deviceIds.length > 0 && (
            <p>
              {t('group-holds', { count: leaving.deviceIds.length })} <bdi>{namesOf(leaving).join(' · ')}</bdi>
            </p>
          )}
        </DeleteDialog>
      )}
    </Page>
  )
}

/** What its type promises; a device may have moved since. */
function Common({ group }: { group: GroupRow }) {
  const { t } = useTranslation('registry')
  if (group.type === 0 || group.deviceIds.length === 0) return null
  return group.common ? <bdi>{group.common}</bdi> : <span className={styles.warned}>{t('no-longer-alike')}</span>
}

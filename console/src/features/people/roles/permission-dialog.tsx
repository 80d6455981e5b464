/** What an account may do: what its roles and groups bring, or exactly the keys that are ticked. */

import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Failed, Loading } from '@/shared/ui/query-view'
import { Problem, Warning } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { KeyPicker } from '@/widgets/person/key-picker'
import { rolesOf, type UserRow } from '@/widgets/person/person'
import { brought, within, without } from '@/widgets/person/ticks'
import { useHeld } from '@/widgets/person/use-held'
import { IdTicks } from './id-ticks'
import { useGroups } from './use-groups'
import { useRoles } from './use-roles'

const WIDTH_PX = 760
const same = (before: readonly number[], after: ReadonlySet<number>) =>
  before.length === after.size && before.every((id) => after.has(id))

export function PermissionDialog({ row, onClose }: { row: UserRow; onClose: () => void }) {
  const { t } = useTranslation('people')
  const held = useHeld()
  const roles = useRoles()
  const groups = useGroups()
  const [way, setWay] = useState<'roles' | 'exact'>(row.keys ? 'exact' : 'roles')
  const [roleIds, setRoleIds] = useState<ReadonlySet<number>>(new Set(rolesOf(row)))
  const [groupIds, setGroupIds] = useState<ReadonlySet<number>>(new Set(row.groups))
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(row.keys ?? []))
  const [touched, setTouched] = useState(row.keys !== null)
  const action = useAction('/user/updateUserPermission', t('save'))
  const theirs = brought(roles.roles, groups.groups, { roles: roleIds, groups: groupIds })
  /** Until somebody ticks, the exact choice begins with what roles and groups bring. */
  const exact = touched ? keys : new Set(within(theirs, held))
  const lost = way === 'exact' ? without(touched ? keys : theirs, held).length : 0
  const send = () =>
    action.run(
      {
        targetUserId: row.userId,
        keys: way === 'exact' ? within(exact, held) : null,
        ...(!same(rolesOf(row), roleIds) && { role: [...roleIds] }),
        ...(!same(row.groups, groupIds) && { groupIds: [...groupIds] }),
      },
      onClose,
    )
  const error = roles.query.error ?? groups.query.error
  const ready = roles.query.data && groups.query.data
  return (
    <Modal
      open
      width={WIDTH_PX}
      centered
      title={t('permission-named', { name: row.name })}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: !ready || (way === 'roles' && roleIds.size === 0) }}
      onOk={send}
      onCancel={onClose}
    >
      <Segmented
        value={way}
        onChange={setWay}
        aria-label={t('permission')}
        options={[
          { value: 'roles', label: t('by-roles') },
          { value: 'exact', label: t('by-keys') },
        ]}
      />
      {!ready && (error ? <Failed error={error} /> : <Loading />)}
      {ready && way === 'roles' && (
        <>
          <IdTicks
            legend={t('role')}
            options={roles.roles.map(({ id }) => ({ id, name: roles.nameOf(id) }))}
            ticked={roleIds}
            nameOf={roles.nameOf}
            onChange={setRoleIds}
          />
          <IdTicks
            legend={t('role-group')}
            options={groups.groups}
            ticked={groupIds}
            nameOf={groups.nameOf}
            onChange={setGroupIds}
          />
          {roleIds.size === 0 && <Problem text={t('fault-role')} />}
          <Text as="h3" size="control" strong above="panel">
            {t('they-bring')}
          </Text>
          <KeyPicker ticked={theirs} />
        </>
      )}
      {ready && way === 'exact' && (
        <>
          <KeyPicker
            ticked={new Set(within(exact, held))}
            onChange={(next) => {
              setTouched(true)
              setKeys(next)
            }}
          />
          {lost > 0 && <Warning>{t('keys-lost', { count: lost })}</Warning>}
        </>
      )}
      <Problem text={action.problem} />
    </Modal>
  )
}

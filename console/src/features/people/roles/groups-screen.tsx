/** /user/index/role_group: roles and keys under one name, to be given to accounts together. */
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { LIMITS } from '@/shared/rpc/limits'
import { Row, Text } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { KeyPicker } from '@/widgets/person/key-picker'
import { type Choice, Chosen, ChosenHead, useChoice } from './chosen'
import { IdTicks } from './id-ticks'
import { RemoveButton } from './remove-button'
import { useGroups } from './use-groups'
import { useRoles } from './use-roles'

type Group = Answer<'/user/role/group/list'>['list'][number]

export function GroupsScreen() {
  const { t } = useTranslation('people')
  const { query, groups } = useGroups()
  const [choice, choose] = useChoice(groups[0]?.id)
  const { nameOf } = useRoles()
  const group = groups.find(({ id }) => id === choice)
  if (!query.data)
    return (
      <Page>
        <QueryView query={query}>{() => null}</QueryView>
      </Page>
    )
  const remark = ({ roleIds, permissionKeys }: Group) => [
    ...roleIds.map(nameOf),
    ...(permissionKeys.length > 0 ? [t('count-keys', { count: permissionKeys.length })] : []),
  ]
  return (
    <Chosen
      title={t('role-groups')}
      entries={groups.map((entry) => ({ id: entry.id, name: entry.name, remark: remark(entry).join(' · ') }))}
      choice={choice}
      onChoose={choose}
      addText={t('add-group')}
      empty={t('no-groups')}
      hint={t('choose-group')}
    >
      {(group || choice === 'new') && (
        <GroupEditor key={group?.id ?? 'new'} group={group} onDone={(next) => choose(next)} />
      )}
    </Chosen>
  )
}

interface Props {
  group: Group | undefined
  /** What to show next. */
  onDone(choice: Choice | undefined): void
}

function GroupEditor({ group, onDone }: Props) {
  const { t } = useTranslation('people')
  const { roles, nameOf } = useRoles()
  const [name, setName] = useState(group?.name ?? '')
  const [roleIds, setRoleIds] = useState<ReadonlySet<number>>(new Set(group?.roleIds))
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set(group?.permissionKeys))
  const [touched, setTouched] = useState(group === undefined)
  const make = useAction('/user/role/group/insert', t('add'))
  const change = useAction('/user/role/group/update', t('save'))
  const remove = useAction('/user/role/group/delete', t('delete'))
  const save = () => {
    remove.reset()
    const payload = { name: name.trim(), roleIds: [...roleIds], permissionKeys: [...keys] }
    if (group) change.run({ id: group.id, ...payload }, () => setTouched(false))
    else make.run(payload, ({ id }) => onDone(id))
  }
  return (
    <>
      <ChosenHead
        name={
          <Input
            value={name}
            onChange={(event) => {
              setTouched(true)
              setName(event.target.value)
            }}
            placeholder={t('group-name')}
            aria-label={t('group-name')}
            maxLength={LIMITS['/user/role/group/insert'].name.maxLength}
            autoFocus={!group}
          />
        }
        actions={
          <>
            {group && (
              <RemoveButton
                name={group.name}
                busy={remove.busy}
                onRemove={() => remove.run({ id: group.id }, () => onDone(undefined))}
              />
            )}
            <Button
              type="primary"
              loading={make.busy || change.busy}
              disabled={!name.trim() || !touched}
              onClick={save}
            >
              {t(group ? 'save' : 'add')}
            </Button>
          </>
        }
      />
      <Row stack pad="xs panel" below="m">
        <Problem text={remove.problem ?? change.problem ?? make.problem} />
        <IdTicks
          legend={t('role')}
          options={roles.map(({ id }) => ({ id, name: nameOf(id) }))}
          ticked={roleIds}
          nameOf={nameOf}
          onChange={(next) => {
            setTouched(true)
            setRoleIds(next)
          }}
        />
        <Text as="h3" size="control" strong above="panel">
          {t('keys-beside')}
        </Text>
        <KeyPicker
          ticked={keys}
          onChange={(next) => {
            setTouched(true)
            setKeys(next)
          }}
        />
      </Row>
    </>
  )
}

/** /user/role: roles with their keys. Presets can be given other keys; they keep their name and cannot be deleted. */
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { LIMITS } from '@/shared/rpc/limits'
import { KEYS } from '@/shared/rpc/people'
import { Row, Text } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { KeyPicker } from '@/widgets/person/key-picker'
import { type Choice, Chosen, ChosenHead, useChoice } from './chosen'
import { RemoveButton } from './remove-button'
import { useRoles } from './use-roles'

type Role = Answer<'/user/role/list'>['list'][number]

const keysOf = (role: Role | undefined) => new Set([...(role?.pageKeys ?? []), ...(role?.buttonKeys ?? [])])
const kindOf = (kind: 'page' | 'button', keys: ReadonlySet<string>) =>
  KEYS.filter((entry) => entry.kind === kind && keys.has(entry.key)).map(({ key }) => key)

export function RolesScreen() {
  const { t } = useTranslation('people')
  const { query, roles, nameOf } = useRoles()
  const [choice, choose] = useChoice(roles[0]?.id)
  const role = roles.find(({ id }) => id === choice)
  if (!query.data)
    return (
      <Page>
        <QueryView query={query}>{() => null}</QueryView>
      </Page>
    )
  return (
    <Chosen
      title={t('roles')}
      entries={roles.map((role) => ({
        id: role.id,
        name: nameOf(role.id),
        remark: t('count-keys', { count: role.pageKeys.length + role.buttonKeys.length }),
      }))}
      choice={choice}
      onChoose={choose}
      addText={t('add-role')}
      empty={t('empty-list')}
      hint={t('choose-role')}
    >
      {(role || choice === 'new') && (
        <RoleEditor
          key={role?.id ?? 'new'}
          role={role}
          name={role ? nameOf(role.id) : ''}
          onDone={(next) => choose(next)}
        />
      )}
    </Chosen>
  )
}

interface Props {
  role: Role | undefined
  name: string
  /** What to show next. */
  onDone(choice: Choice | undefined): void
}

function RoleEditor({ role, name, onDone }: Props) {
  const { t } = useTranslation('people')
  const [typed, setTyped] = useState(name)
  const [ticked, setTicked] = useState<ReadonlySet<string>>()
  const make = useAction('/user/role/insert', t('add'))
  const change = useAction('/user/role/update', t('save'))
  const remove = useAction('/user/role/delete', t('delete'))
  const keys = ticked ?? keysOf(role)
  const renamed = role !== undefined && !role.preset && typed.trim() !== name
  const save = () => {
    remove.reset()
    if (!role) {
      const payload = { name: typed.trim(), pageKeys: kindOf('page', keys), buttonKeys: kindOf('button', keys) }
      void make.run(payload, ({ id }) => onDone(id))
      return
    }
    const payload = { id: role.id, ...(renamed && { name: typed.trim() }), ...(ticked && { keys: [...keys] }) }
    change.run(payload, () => setTicked(undefined))
  }
  return (
    <>
      <ChosenHead
        name={
          role?.preset ? (
            <h2>{name}</h2>
          ) : (
            <Input
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              placeholder={t('role-name')}
              aria-label={t('role-name')}
              maxLength={LIMITS['/user/role/insert'].name.maxLength}
              autoFocus={!role}
            />
          )
        }
        actions={
          <>
            {role && !role.preset && (
              <RemoveButton
                name={name}
                busy={remove.busy}
                onRemove={() => remove.run({ id: role.id }, () => onDone(undefined))}
              />
            )}
            <Button
              type="primary"
              loading={make.busy || change.busy}
              disabled={!typed.trim() || (role !== undefined && !renamed && !ticked)}
              onClick={save}
            >
              {t(role ? 'save' : 'add')}
            </Button>
          </>
        }
      />
      <Row stack pad="xs panel" below="m">
        {role?.preset && (
          <Text size="small" tone="soft" above="xs">
            {t('preset-how')}
          </Text>
        )}
        <Problem text={remove.problem ?? change.problem ?? make.problem} />
        <KeyPicker ticked={keys} onChange={setTicked} />
      </Row>
    </>
  )
}

/** /user/role: roles with their keys. Presets can be given other keys; they keep their name and cannot be deleted. */
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '@/shared/rpc/contract'
import { KEYS } from '@/shared/rpc/people'
import { Page } from '@/shared/ui/panel'
import { Shown } from '@/shared/ui/shown'
import { Problem } from '@/widgets/field'
import { useDeed } from '@/widgets/use-deed'
import { type Choice, Chosen, ChosenHead, useChoice } from './chosen'
import { KeyPicker } from './key-picker'
import styles from './people.module.css'
import { RemoveButton } from './remove-button'
import { useRoles } from './use-roles'

type Role = Answer<'/user/role/list'>['list'][number]

const keysOf = (role: Role | undefined) => new Set([...(role?.pageKeys ?? []), ...(role?.buttonKeys ?? [])])
const kindOf = (kind: 'page' | 'button', keys: ReadonlySet<string>) =>
  KEYS.filter((one) => one.kind === kind && keys.has(one.key)).map(({ key }) => key)

export function RolesScreen() {
  const { t } = useTranslation('people')
  const { query, roles, nameOf } = useRoles()
  const [choice, choose] = useChoice(roles[0]?.id)
  const role = roles.find(({ id }) => id === choice)
  if (!query.data)
    return (
      <Page>
        <Shown query={query}>{() => null}</Shown>
      </Page>
    )
  return (
    <Chosen
      title={t('role')}
      entries={roles.map((one) => ({
        id: one.id,
        name: nameOf(one.id),
        remark: t('count-keys', { count: one.pageKeys.length + one.buttonKeys.length }),
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
  const make = useDeed('/user/role/insert', t('add'))
  const change = useDeed('/user/role/update', t('save'))
  const remove = useDeed('/user/role/delete', t('delete'))
  const keys = ticked ?? keysOf(role)
  const renamed = role !== undefined && !role.preset && typed.trim() !== name
  const save = () => {
    remove.reset()
    if (!role) {
      const told = { name: typed.trim(), pageKeys: kindOf('page', keys), buttonKeys: kindOf('button', keys) }
      return make.run(told, ({ id }) => onDone(id))
    }
    const told = { id: role.id, ...(renamed && { name: typed.trim() }), ...(ticked && { keys: [...keys] }) }
    change.run(told, () => setTicked(undefined))
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
              maxLength={100}
              autoFocus={!role}
            />
          )
        }
        deeds={
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
      <div className={styles.inner}>
        {role?.preset && <p className={styles.remark}>{t('preset-how')}</p>}
        <Problem text={remove.problem ?? change.problem ?? make.problem} />
        <KeyPicker ticked={keys} onChange={setTicked} />
      </div>
    </>
  )
}

/** A new account of the level that one's own makes, or a shadow of one's own. Its first password is shown once. */

import { Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { type Faults, faultsOf } from '@/widgets/person/person'
import { PersonFields } from '@/widgets/person/person-fields'
import { addWord, defaultRole } from '../roles/levels'
import { useRoles } from '../roles/use-roles'
import { FirstPassword } from './first-password'

const NOBODY = { account: '', name: '', phone: '', email: '' }

interface Props {
  level: number
  shadow?: boolean
  onClose(): void
}

export function AddDialog({ level, shadow = false, onClose }: Props) {
  const { t } = useTranslation('people')
  const [person, setPerson] = useState(NOBODY)
  const [roles, setRoles] = useState<number[]>([defaultRole(level) ?? 11])
  const [faults, setFaults] = useState<Faults>({})
  const [password, setPassword] = useState<string>()
  const { roles: grantable, nameOf } = useRoles()
  const action = useAction('/user/insertUser', t('add'), ['account', 'name', 'phone', 'email', 'role'])
  const change = (next: typeof NOBODY) => {
    setPerson(next)
    if (Object.keys(faults).length > 0) setFaults(faultsOf(next))
  }
  const send = () => {
    const nextFaults = faultsOf(person)
    setFaults(nextFaults)
    if (Object.keys(nextFaults).length > 0) return
    const { account, name, phone, email } = person
    action.run(
      {
        ...{ account, name: name.trim(), phone: phone.trim(), email: email.trim(), role: roles },
        ...(shadow && { isShadow: 1 as const }),
      },
      (account) => setPassword(account.password),
    )
  }
  if (password !== undefined)
    return <FirstPassword account={person.account} name={person.name} password={password} onClose={onClose} />
  const wrong = (key: 'account' | 'role') =>
    (key === 'account' && faults.account && t(faults.account)) || action.problemAt(key)
  return (
    <Modal
      open
      title={t(shadow ? 'add-shadow-user' : addWord(level))}
      okText={t('add')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy, disabled: roles.length === 0 }}
      onOk={send}
      onCancel={onClose}
    >
      {shadow && (
        <Text size="small" tone="soft" above="xs">
          {t('shadow-how')}
        </Text>
      )}
      <Field label={t('login-name')} hint={t('fault-login-name')} fault={wrong('account') || undefined}>
        <Input
          autoFocus
          value={person.account}
          onChange={(event) => change({ ...person, account: event.target.value })}
          {...(wrong('account') && { status: 'error' as const })}
          aria-invalid={Boolean(wrong('account'))}
          maxLength={LIMITS['/user/insertUser'].account.maxLength}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <PersonFields value={person} onChange={change} faults={faults} />
      {grantable.length > 1 && (
        <Field label={t('role')} fault={wrong('role') || undefined}>
          <Select
            mode="multiple"
            value={roles}
            onChange={setRoles}
            {...(roles.length === 0 && { status: 'error' as const })}
            options={grantable.map(({ id }) => ({ value: id, label: nameOf(id) }))}
            showSearch={{ optionFilterProp: 'label' }}
          />
        </Field>
      )}
      <Problem text={action.problem ?? ['name', 'phone', 'email'].map(action.problemAt).find(Boolean)} />
    </Modal>
  )
}

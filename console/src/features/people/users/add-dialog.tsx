/** A new account of the level that one's own makes, or a shadow of one's own. Its first password is shown once. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'
import { limitsOf, numbersOf, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { required } from '@/widgets/form/rules'
import { useAction } from '@/widgets/form/use-action'
import { NOBODY, PERSON, personOf, withPhone } from '@/widgets/person/fields'
import { ruleOf } from '@/widgets/person/person'
import { addWord, defaultRole } from '../roles/levels'
import { useRoles } from '../roles/use-roles'
import { FirstPassword } from './first-password'

const INSERT = '/user/insertUser'
const ACCOUNT = {
  ...({ name: 'account', label: 'common:login-name', hint: 'people:fault-login-name', ltr: true } as const),
  ...({ wide: true, rule: ruleOf('account') } as const),
} as const
const ROLE = { name: 'role', label: 'common:role', kind: 'choices', wide: true, rule: required } as const
const NAMES = [ACCOUNT, ...PERSON, ROLE].map(({ name }) => name)
const LOWEST_ROLE = 11

interface Props {
  level: number
  shadow?: boolean
  onClose(): void
}

export function AddDialog({ level, shadow = false, onClose }: Props) {
  const { t } = useTranslation('people')
  const [created, setCreated] = useState<Record<'account' | 'name' | 'password', string>>()
  const { query, roles, nameOf } = useRoles()
  const action = useAction(INSERT, t('add'), NAMES)
  const usual = [defaultRole(level) ?? LOWEST_ROLE]
  if (created) return <FirstPassword {...created} onClose={onClose} />
  if (query.isLoading) return null
  const send = (values: Values) => {
    const account = String(values.account)
    const person = personOf(values)
    const role = roles.length > 1 ? [...numbersOf(values.role)] : usual
    void action.run({ account, ...person, role, ...(shadow && { isShadow: 1 as const }) }, ({ password }) =>
      setCreated({ account, name: person.name, password }),
    )
  }
  return (
    <FormDialog
      texts="people"
      title={t(shadow ? 'add-shadow-user' : addWord(level))}
      fields={[ACCOUNT, ...PERSON, ...(roles.length > 1 ? [ROLE] : [])]}
      limits={withPhone(limitsOf(INSERT))}
      options={{ role: roles.map(({ id }) => ({ value: id, label: nameOf(id) })) }}
      row={undefined}
      start={{ account: '', ...NOBODY, role: usual }}
      draft={`${INSERT} ${shadow ? 'shadow' : level}`}
      action={action}
      head={
        shadow && (
          <Text size="small" tone="soft" below="m">
            {t('shadow-how')}
          </Text>
        )
      }
      onSend={send}
      onClose={onClose}
    />
  )
}

/** One's own password, where the server asks for it: a session that began long ago is to become no way into the account. */
import { Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Field } from '../form/field'

interface Props {
  value: string
  fault: string | undefined
  autoFocus?: boolean
  onChange(value: string): void
  onEnter?(): void
}

export function OwnPassword({ value, fault, autoFocus = false, onChange, onEnter }: Props) {
  const { t } = useTranslation('people')
  return (
    <Field label={t('password')} fault={fault}>
      <Input
        type="password"
        dir="ltr"
        autoComplete="current-password"
        autoFocus={autoFocus}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        maxLength={LIMITS['/sso/ask'].password.maxLength}
        {...(onEnter && { onPressEnter: onEnter })}
      />
    </Field>
  )
}

interface PasswordAgain {
  /** Shown once the server asks for it. */
  field: ReactNode
  /** Goes along with the call. */
  payload: { password?: string }
}

/** Where `action`, which takes `password` for a field of its own, was refused without one; `onEnter` tries again. */
export function usePasswordAgain(
  action: { problemAt(name: string): string | undefined },
  onEnter?: () => void,
): PasswordAgain {
  const [password, setPassword] = useState('')
  const fault = action.problemAt('password')
  const needed = fault !== undefined || password !== ''
  return {
    field: needed && (
      <OwnPassword value={password} fault={fault} autoFocus onChange={setPassword} {...(onEnter && { onEnter })} />
    ),
    payload: password ? { password } : {},
  }
}

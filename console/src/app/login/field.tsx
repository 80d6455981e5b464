/** A named input of the log-in page, and the one for passwords that can be shown. */
import { IconEye, IconEyeOff, IconLock } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import styles from './login-page.module.css'

export const ICON = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

interface FieldProps {
  label: string
  icon: ReactNode
  fault: string | false
  children: ReactNode
}

export function Field({ label, icon, fault, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className={styles.field} data-fault={fault ? true : undefined}>
      <span>{label}</span>
      <span className={styles.input}>
        {icon}
        {children}
      </span>
      {fault && <em role="alert">{fault}</em>}
    </label>
  )
}

interface PasswordProps {
  label: string
  value: string
  onChange: (value: string) => void
  fault: string | false
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordField({ label, value, onChange, fault, autoComplete }: PasswordProps) {
  const { t } = useTranslation('login')
  const [open, setOpen] = useState(false)
  const Eye = open ? IconEyeOff : IconEye
  return (
    <Field label={label} icon={<IconLock {...ICON} />} fault={fault}>
      <input
        type={open ? 'text' : 'password'}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete={autoComplete}
        name="password"
        dir="ltr"
        aria-label={label}
      />
      <button
        type="button"
        className={styles.eye}
        aria-label={t(open ? 'hide-password' : 'show-password')}
        aria-pressed={open}
        onClick={() => setOpen(!open)}
      >
        <Eye {...ICON} />
      </button>
    </Field>
  )
}

/** A line of text; `onClear` gives it a button that empties it, `prefix` a mark before it. */
import { IconX } from '@tabler/icons-react'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { useTranslation } from '../i18n/text'
import styles from './input.module.css'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'prefix' | 'size'> {
  readonly prefix?: ReactNode
  readonly size?: 'small'
  onClear?(): void
}

export function Input({ prefix, size, onClear, className = '', ...rest }: Props) {
  const { t } = useTranslation('common')
  return (
    <span className={`${styles.input} ${className}`} data-size={size} data-fault={rest['aria-invalid'] || undefined}>
      {prefix}
      <input {...rest} />
      {onClear && (
        <button
          type="button"
          className={styles.clear}
          aria-label={t('reset')}
          hidden={rest.value === ''}
          onClick={onClear}
        >
          <IconX size={14} stroke={2} aria-hidden="true" />
        </button>
      )}
    </span>
  )
}

/** One of a few choices, by the browser's own list: light, and right on every screen and for every reader. */
import { IconChevronDown } from '@tabler/icons-react'
import type { SelectHTMLAttributes } from 'react'
import styles from './select.module.css'

interface Choice<V extends string | number> {
  readonly value: V
  readonly label: string
}

interface Props<V extends string | number>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'value' | 'onChange' | 'size'> {
  readonly 'aria-label': string
  readonly value: V
  readonly options: readonly Choice<V>[]
  onChange(value: V): void
}

export function Select<V extends string | number>({ value, options, onChange, className = '', ...rest }: Props<V>) {
  return (
    <span className={`${styles.select} ${className}`}>
      <select
        {...rest}
        value={value}
        onChange={({ target }) => {
          const choice = options[target.selectedIndex]
          if (choice) onChange(choice.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} stroke={1.75} aria-hidden="true" />
    </span>
  )
}

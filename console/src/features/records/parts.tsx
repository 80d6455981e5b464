/** What both lists have: words to search, and robots. */
import type { ReactNode } from 'react'
import { SearchForm } from '@/widgets/list/search-form'
import styles from './records.module.css'

interface BarProps {
  text: string
  hint: string
  onSearch(text: string): void
  filters: ReactNode
  children: ReactNode
}

export const Bar = ({ filters, children, ...search }: BarProps) => (
  <search>
    <SearchForm
      className={styles.bar}
      field={styles.text}
      rest={<div className={styles.rest}>{children}</div>}
      {...search}
    >
      {filters}
    </SearchForm>
  </search>
)

export function Robot({ name, serial }: { name: string; serial: string }) {
  return (
    <>
      <bdi>{name}</bdi>
      <small>
        <bdi dir="ltr">{serial}</bdi>
      </small>
    </>
  )
}

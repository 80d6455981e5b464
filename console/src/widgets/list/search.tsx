/** The words that a list is searched by, and its other filters beside them. */
import type { ReactNode } from 'react'
import styles from './list.module.css'
import { SearchForm } from './search-form'

interface Props {
  text: string
  /** What is searched. */
  hint: string
  dir?: 'ltr'
  longest?: number
  onSearch(text: string): void
  /** The other filters. */
  children?: ReactNode
}

export const Search = ({ children, ...search }: Props) => (
  <SearchForm className={styles.find} field={styles.words} {...search}>
    {children}
  </SearchForm>
)

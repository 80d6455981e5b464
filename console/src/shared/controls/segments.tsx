/** A few choices side by side, of which some are on. */
import type { ReactNode } from 'react'
import styles from './segments.module.css'

export const Segments = ({ label, children }: { label: string; children: ReactNode }) => (
  <fieldset className={styles.segments}>
    <legend className="unseen">{label}</legend>
    {children}
  </fieldset>
)

interface Props {
  on: boolean
  onChoose(): void
  /** Where a mark stands for the word. */
  label?: string
  children: ReactNode
}

export const Segment = ({ on, onChoose, label, children }: Props) => (
  <button type="button" aria-pressed={on} onClick={onChoose} {...(label && { 'aria-label': label, title: label })}>
    {children}
  </button>
)

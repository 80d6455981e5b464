/** A table within a panel or a dialog: its head and lines are the children. A list has `ListTable`. */
import type { ReactNode } from 'react'
import styles from './table.module.css'

export const PlainTable = ({ label, children }: { label?: string; children: ReactNode }) => (
  // What scrolls must scroll by keyboard, too.
  <section className={styles.box} {...(label && { 'aria-label': label, tabIndex: 0 })}>
    <table className={styles.table}>{children}</table>
  </section>
)

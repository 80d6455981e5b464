/** A list as a dense table: after its columns come the actions of a line, which stay in sight while it scrolls. */
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from './panel'
import styles from './table.module.css'

/** A table within a panel or a dialog: its head and lines are the children. */
export const PlainTable = ({ label, children }: { label?: string; children: ReactNode }) => (
  // What scrolls must scroll by keyboard, too.
  <section className={styles.box} {...(label && { 'aria-label': label, tabIndex: 0 })}>
    <table className={styles.table}>{children}</table>
  </section>
)

interface Props {
  label: string
  /** The columns, without the actions. */
  head: ReactNode
  className?: string | undefined
  ref?: Ref<HTMLTableSectionElement>
  /** Below the table. */
  foot?: ReactNode
  children: ReactNode
}

export function Table({ label, head, className, ref, foot, children }: Props) {
  const { t } = useTranslation()
  return (
    <Panel className={styles.box}>
      <table className={`${styles.table} ${styles.soft} ${className ?? ''}`} aria-label={label}>
        <thead>
          <tr>
            {head}
            <th data-actions>
              <span className="unseen">{t('more')}</span>
            </th>
          </tr>
        </thead>
        <tbody ref={ref}>{children}</tbody>
      </table>
      {foot}
    </Panel>
  )
}

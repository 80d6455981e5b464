/** A labelled field of a dialog, with what is wrong with it underneath; and what a dialog warns of. */
import type { ReactNode } from 'react'
import styles from './field.module.css'

interface Props {
  label: string
  hint?: string | undefined
  fault?: string | undefined
  children: ReactNode
}

export function Field({ label, hint, fault, children }: Props) {
  return (
    <div className={styles.field}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is the child */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      {fault ? <Problem text={fault} /> : hint && <p className={styles.remark}>{hint}</p>}
    </div>
  )
}

export const Problem = ({ text }: { text: string | undefined }) =>
  text ? (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  ) : null

/** `alert`: it came while somebody was at it. */
export const Warning = ({ alert, children }: { alert?: boolean; children: ReactNode }) => (
  <p className={styles.warning} {...(alert && { role: 'alert' })}>
    {children}
  </p>
)

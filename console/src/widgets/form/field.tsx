/** A labelled field of a dialog, with what is wrong with it underneath; and what a dialog warns of. */
import { cloneElement, isValidElement, type ReactElement, type ReactNode, useId } from 'react'
import styles from './field.module.css'

interface Props {
  label: string
  hint?: string | undefined
  fault?: string | undefined
  /** Of several controls: a press on its label is for none of them. */
  group?: boolean
  children: ReactNode
}

interface Described {
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

/** The control names the text that describes it: that a screen reader says what is wrong where somebody is. */
export function Field({ label, hint, fault, group = false, children }: Props) {
  const id = useId()
  const described = isValidElement(children) && (fault || hint)
  const control = described
    ? cloneElement(children as ReactElement<Described>, {
        'aria-describedby': id,
        ...(fault && { 'aria-invalid': true }),
      })
    : children
  return (
    <div className={styles.field}>
      {group ? (
        <fieldset>
          <legend>{label}</legend>
          {control}
        </fieldset>
      ) : (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
        <label>
          <span>{label}</span>
          {control}
        </label>
      )}
      {fault ? (
        <Problem id={id} text={fault} />
      ) : (
        hint && (
          <p id={id} className={styles.remark}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

export const Problem = ({ text, id }: { text: string | undefined; id?: string }) =>
  text ? (
    <p className={styles.problem} role="alert" {...(id && { id })}>
      {text}
    </p>
  ) : null

/** `alert`: it came while somebody was at it. */
export const Warning = ({ alert, children }: { alert?: boolean; children: ReactNode }) => (
  <p className={styles.warning} {...(alert && { role: 'alert' })}>
    {children}
  </p>
)

/** A button, and a link that looks like one: named as Ant Design names them, without its weight. */
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import styles from './button.module.css'

interface Look {
  /** At most one `primary` in a panel. */
  readonly type?: 'default' | 'primary' | 'text'
  readonly size?: 'small' | 'large'
  readonly shape?: 'circle'
  readonly danger?: boolean
  readonly icon?: ReactNode
}

export interface ButtonProps extends Look, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  readonly htmlType?: 'button' | 'submit'
  /** Turns, and takes no second press. */
  readonly loading?: boolean
}

export interface ButtonLinkProps extends Look, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'type'> {}

/** As it is taken from the props: what was left out is undefined. */
type Given = { readonly [K in keyof Look]?: Look[K] | undefined }

const lookOf = ({ type = 'default', size, shape, danger }: Given, bare: boolean, className = '') => ({
  className: `${styles.button} ${className}`,
  'data-type': type,
  'data-size': size,
  'data-shape': shape,
  'data-danger': danger || undefined,
  'data-bare': bare || undefined, // a mark alone stands in a square
})

export function Button(props: ButtonProps) {
  const {
    type,
    size,
    shape,
    danger,
    icon,
    htmlType = 'button',
    loading,
    disabled,
    className,
    children,
    ...rest
  } = props
  return (
    <button
      {...rest}
      {...lookOf({ type, size, shape, danger }, children === undefined, className)}
      type={htmlType}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
    >
      {loading ? <i className={styles.spinner} aria-hidden="true" /> : icon}
      {children !== undefined && <span>{children}</span>}
    </button>
  )
}

export function ButtonLink({ type, size, shape, danger, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} {...lookOf({ type, size, shape, danger }, children === undefined, className)}>
      {icon}
      {children !== undefined && <span>{children}</span>}
    </a>
  )
}

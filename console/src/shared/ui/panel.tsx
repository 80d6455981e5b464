/** The one kind of box: a border, no shadow; a head of one line where it has a name. */
import type { CSSProperties, ReactNode } from 'react'
import { Row } from '@/shared/ui/layout'
import styles from './panel.module.css'

interface Props {
  title?: ReactNode
  /** At the end of the head: a remark or a link. */
  extra?: ReactNode
  /** Red border: somebody is needed here. */
  alert?: boolean
  className?: string | undefined
  style?: CSSProperties
  children: ReactNode
}

export function Panel({ title, extra, alert, className, style, children }: Props) {
  return (
    <section className={`${styles.panel} ${className ?? ''}`} data-alert={alert || undefined} {...(style && { style })}>
      {title !== undefined && (
        <Row as="header" gap="m" align="center" className={styles.head}>
          <h2>{title}</h2>
          {extra !== undefined && <div className={styles.extra}>{extra}</div>}
        </Row>
      )}
      {children}
    </section>
  )
}

/** The body of a screen: 14 px inside, 12 px between panels. */
export function Page({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return <div className={`${styles.page} ${className ?? ''}`}>{children}</div>
}

/** The one kind of box: a border, no shadow; a head of one line where it has a name. */
import type { CSSProperties, ReactNode } from 'react'
import { Row, Text } from '@/shared/ui/layout'
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
    <Text
      as="section"
      surface
      className={`${styles.panel} ${className ?? ''}`}
      data-alert={alert || undefined}
      {...(style && { style })}
    >
      {title !== undefined && (
        <Row as="header" wrap gap="m" lines="none" align="center" className={styles.head}>
          <h2>{title}</h2>
          {extra !== undefined && (
            <Text as="div" size="small" tone="soft" end>
              {extra}
            </Text>
          )}
        </Row>
      )}
      {children}
    </Text>
  )
}

/** The body of a screen: 14 px inside, 12 px between panels. */
export const Page = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <Row stack gap="l" pad="panel xl" className={`${styles.page} ${className ?? ''}`}>
    {children}
  </Row>
)

/** A list and what it is of, beside each other where there is room; `first`: the narrow one comes first. */
export const Split = ({ first, className, children }: { first?: boolean; className?: string; children: ReactNode }) => (
  <div className={`${styles.split} ${className ?? ''}`} data-first={first || undefined}>
    {children}
  </div>
)

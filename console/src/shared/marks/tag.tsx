/** A short word, or a mark and a word, on the tint of a state. */
import type { ReactNode } from 'react'
import { Row } from '@/shared/ui/layout'
import type { MODE_TONE } from './mode'
import styles from './tag.module.css'

interface Props {
  tone?: (typeof MODE_TONE)[keyof typeof MODE_TONE]
  children: ReactNode
}

export const Tag = ({ tone = 'idle', children }: Props) => (
  <Row
    as="span"
    inline
    gap="xs"
    align="center"
    className={styles.tag}
    style={{ color: `var(--state-${tone})`, background: `var(--state-${tone}-tint)` }}
  >
    {children}
  </Row>
)

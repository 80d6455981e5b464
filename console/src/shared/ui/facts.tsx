/** What is known of something: each name with its value. */
import type { ReactNode } from 'react'
import styles from './facts.module.css'

interface Props {
  /** A line is a `Fact`. `ends`: values stand at the end of their line, with a rule below each. */
  ends?: boolean
  className?: string | undefined
  children: ReactNode
}

export const Facts = ({ ends, className, children }: Props) => (
  <dl className={`${ends ? styles.ends : styles.facts} ${className ?? ''}`}>{children}</dl>
)

interface FactProps {
  name: ReactNode
  /** A name of things, an address: it reads from left to right in every language. */
  ltr?: boolean
  children: ReactNode
}

export const Fact = ({ name, ltr, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{ltr ? <bdi dir="ltr">{children}</bdi> : children}</dd>
  </div>
)

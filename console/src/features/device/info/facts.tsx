/** Facts in pairs; what is not known has no line. */
import type { ReactNode } from 'react'
import { Fact, Facts } from '@/shared/ui/facts'
import { Panel } from '@/shared/ui/panel'
import styles from './info.module.css'

interface Row {
  readonly label: string
  readonly value: ReactNode
  /** Numbers, addresses and codes read from left to right in every language. */
  readonly ltr?: boolean
}

const hasValue = (value: ReactNode) =>
  !(Array.isArray(value) && value.length === 0) &&
  value !== null &&
  value !== undefined &&
  value !== false &&
  value !== ''

export function FactsPanel({ title, facts, children }: { title: string; facts: readonly Row[]; children?: ReactNode }) {
  const known = facts.filter(({ value }) => hasValue(value))
  return (
    <Panel title={title} className={styles.panel}>
      <Facts ends className={styles.facts}>
        {known.map(({ label, value, ltr }) => (
          <Fact key={label} name={label}>
            <bdi {...(ltr && { dir: 'ltr' })}>{value}</bdi>
          </Fact>
        ))}
      </Facts>
      {children}
    </Panel>
  )
}

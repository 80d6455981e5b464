/** Facts in pairs: what nobody has told stands as a dash, so that a field is seen to be there. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '@/shared/ui/panel'
import styles from './info.module.css'

export interface Fact {
  readonly label: string
  readonly value: ReactNode
  /** Numbers, addresses and codes read from left to right in every language. */
  readonly ltr?: boolean
}

const hasValue = (value: ReactNode) => value !== null && value !== undefined && value !== false && value !== ''

export function Facts({ title, facts, children }: { title: string; facts: readonly Fact[]; children?: ReactNode }) {
  const { t } = useTranslation('fleet')
  return (
    <Panel title={title} className={styles.panel}>
      <dl className={styles.facts}>
        {facts.map(({ label, value, ltr }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {hasValue(value) ? <bdi {...(ltr && { dir: 'ltr' })}>{value}</bdi> : <span title={t('not-told')}>–</span>}
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </Panel>
  )
}

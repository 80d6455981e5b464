/** Facts in pairs: what nobody has told stands as a dash, so that a field is seen to be there. */
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Fact, Facts } from '@/shared/ui/facts'
import { Panel } from '@/shared/ui/panel'
import styles from './info.module.css'

interface Row {
  readonly label: string
  readonly value: ReactNode
  /** Numbers, addresses and codes read from left to right in every language. */
  readonly ltr?: boolean
}

const hasValue = (value: ReactNode) => value !== null && value !== undefined && value !== false && value !== ''

export function FactsPanel({ title, facts, children }: { title: string; facts: readonly Row[]; children?: ReactNode }) {
  const { t } = useTranslation('fleet')
  return (
    <Panel title={title} className={styles.panel}>
      <Facts ends className={styles.facts}>
        {facts.map(({ label, value, ltr }) => (
          <Fact key={label} name={label}>
            {hasValue(value) ? <bdi {...(ltr && { dir: 'ltr' })}>{value}</bdi> : <span title={t('not-told')}>–</span>}
          </Fact>
        ))}
      </Facts>
      {children}
    </Panel>
  )
}

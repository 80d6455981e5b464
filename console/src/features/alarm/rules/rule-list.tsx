/** By what the server itself raises alarms, for the robots of an account. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { useCall } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { OwnerTree } from '@/widgets/form/owner-tree'
import type { Column } from '@/widgets/list/columns'
import { ListView } from '@/widgets/list/list-view'
import styles from '../alarm.module.css'
import { type Rule, useSentence } from './amount'

const RuleDialog = lazy(async () => ({ default: (await import('./rule-dialog')).RuleDialog }))

function Sentence({ rule }: { rule: Rule }) {
  return useSentence()(rule)
}

function Switched({ rule }: { rule: Rule }) {
  const { t } = useTranslation('alarm')
  return <Tag tone={rule.enabled ? 'cleaning' : 'offline'}>{t(rule.enabled ? 'rule-on' : 'rule-off')}</Tag>
}

const COLUMNS: readonly Column<Rule>[] = [
  { key: 'content', label: 'common:alarm', heading: true },
  { key: 'kind', label: 'code', ltr: true, soft: true, extra: true },
  { key: 'threshold', label: 'rule-when', cell: (rule) => <Sentence rule={rule} /> },
  {
    key: 'enabled',
    label: 'state',
    value: ({ enabled }, { t }) => t(enabled ? 'rule-on' : 'rule-off'),
    cell: (rule) => <Switched rule={rule} />,
  },
  {
    key: 'decided',
    label: 'rule-decided',
    value: ({ decided, decidedBy }, { t }) => decidedBy || t(`rule-decided-${decided}`),
    soft: true,
  },
]

export function RuleList({ head }: { head: ReactNode }) {
  const { t } = useTranslation('alarm')
  const [params, setParams] = useSearchParams()
  const userId = Number(params.get('owner')) || null
  const [edited, setEdited] = useState<Rule>()
  const query = useCall('/wmWarnSet/listRules', { userId }, { keep: true })
  const choose = (owner: number | undefined) =>
    setParams({ view: 'rules', ...(owner && { owner: String(owner) }) }, { replace: true })
  return (
    <>
      <ListView<Rule>
        name="alarmRule"
        texts="alarm"
        label={t('server-rules')}
        columns={COLUMNS}
        query={query}
        idOf={({ kind }) => kind}
        empty={<Nothing why={t('common:empty-list')} />}
        search={
          <Row wrap gap="s" align="center">
            {head}
            <div className={styles.account}>
              <OwnerTree
                wide
                value={userId ?? undefined}
                words={{ label: t('rules-of'), every: t('rules-own'), named: (name) => t('rules-named', { name }) }}
                onChange={choose}
              />
            </div>
          </Row>
        }
        actions={(rule) => (
          <Button size="small" aria-label={`${t('common:edit')}: ${rule.content}`} onClick={() => setEdited(rule)}>
            {t('common:edit')}
          </Button>
        )}
      />
      {edited && (
        <Suspense>
          <RuleDialog rule={edited} userId={userId} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </>
  )
}

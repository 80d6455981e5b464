/** A rule's threshold in words: 20 %, 3×, 30 min, 7 days. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'

export type Rule = Answer<'/wmWarnSet/listRules'>['list'][number]

const MINUTE_MS = 60_000

function useAmount() {
  const { t } = useTranslation('alarm')
  const { percent, span } = useFormats()
  return ({ unit }: Rule, threshold: number): string => {
    if (unit === 'percent') return percent(threshold / 100)
    if (unit === 'minutes') return span(threshold * MINUTE_MS)
    return t(unit === 'days' ? 'rule-days' : 'rule-times', { count: threshold })
  }
}

/** What it sees, in a sentence. */
export function useSentence() {
  const { t } = useTranslation('alarm')
  const amount = useAmount()
  return (rule: Rule, threshold = rule.threshold) => t(`rule-${rule.kind}`, { amount: amount(rule, threshold) })
}

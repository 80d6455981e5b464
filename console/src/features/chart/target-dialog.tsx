/** What robots of an account are to clean, and what a person needs for it by hand. */
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { QueryView } from '@/shared/ui/query-view'
import { limitsOf, type Rule } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { useAction } from '@/widgets/form/use-action'

const UPDATE = '/taskReport/updateTarget'
const above: Rule<'chart:above-zero'> = (value) =>
  typeof value === 'number' && value <= 0 ? 'chart:above-zero' : undefined
const NUMBER = { kind: 'number', rule: above } as const
const FIELDS = [
  { name: 'targetArea', label: 'chart:target-area', digits: 1, ...NUMBER },
  { name: 'manualRate', label: 'chart:manual-rate', hint: 'chart:manual-rate-how', digits: 1, ...NUMBER },
  { name: 'manualWater', label: 'chart:manual-water', hint: 'chart:manual-water-how', digits: 3, ...NUMBER },
  { name: 'careMinutes', label: 'chart:care-minutes', hint: 'chart:care-minutes-how', digits: 1, ...NUMBER },
] as const
const NAMES = FIELDS.map(({ name }) => name)
const UNSET = { targetArea: null, manualRate: null, manualWater: null, careMinutes: null }

interface Props {
  /** Whose; undefined: one's own. */
  owner: number | undefined
  onClose(): void
}

export function TargetDialog({ owner, onClose }: Props) {
  const { t } = useTranslation('chart')
  const query = useCall('/taskReport/target', owner === undefined ? {} : { userId: owner }, { staleTime: 0 })
  if (query.data) return <TargetForm view={query.data} onRefresh={query.refetch} {...{ owner, onClose }} />
  return (
    <Modal open title={t('set-targets')} footer={null} onCancel={onClose}>
      <QueryView query={query}>{() => null}</QueryView>
    </Modal>
  )
}

interface FormProps extends Props {
  view: Answer<'/taskReport/target'>
  onRefresh(): Promise<unknown>
}

function TargetForm({ view: { account, own, counts }, owner, onRefresh, onClose }: FormProps) {
  const { t } = useTranslation('chart')
  const action = useAction(UPDATE, t('common:save'), NAMES)
  const inherited = (name: string) => {
    const field = NAMES.find((key) => key === name)
    const value = field && (own?.[field] ?? null) === null ? counts[field] : null
    return value !== null && value !== undefined && t('inherited', { value })
  }
  return (
    <FormDialog
      texts="chart"
      title={t('targets-of', { name: account })}
      fields={FIELDS}
      limits={limitsOf(UPDATE)}
      options={{}}
      row={own ?? { ...UNSET, updateTime: '' }}
      start={UNSET}
      draft={`${UPDATE} ${owner ?? ''}`}
      action={action}
      head={
        <Text tone="quiet" below="m">
          {t('target-how', { name: account })}
        </Text>
      }
      suffix={(name, values) => values[name] === null && inherited(name)}
      onSend={(values, updateTime, typed) => {
        const sent = Object.fromEntries(
          NAMES.filter((name) => typed.includes(name)).map((name) => [name, values[name]]),
        )
        if (typed.length === 0) return onClose()
        const of = { ...(owner !== undefined && { userId: owner }), ...(updateTime && { updateTime }) }
        void action.run({ ...sent, ...of }, onClose)
      }}
      onRefresh={onRefresh}
      onClose={onClose}
    />
  )
}

/** One rule of the server: whether it raises alarms, from when on, and how often it would have in the last 30 days. */
import { InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { type Rule, useSentence } from './amount'

const UNITS = { percent: 'unit-percent', times: 'unit-times', minutes: 'unit-minutes', days: 'unit-days' } as const
const UPKEEP_STEP = 10

interface Props {
  rule: Rule
  userId: number | null
  onClose(): void
}

export function RuleDialog({ rule, userId, onClose }: Props) {
  const { t } = useTranslation('alarm')
  const [enabled, setEnabled] = useState(rule.enabled)
  const [threshold, setThreshold] = useState<number | null>(rule.threshold)
  const action = useAction('/wmWarnSet/editRule', rule.content, ['threshold'])
  const sentence = useSentence()
  const { kind, least, most } = rule
  const step = kind === 'upkeep_due' ? UPKEEP_STEP : 1
  const fits = threshold !== null && threshold >= least && threshold <= most && threshold % step === 0
  const send = (values: { enabled: boolean | null; threshold: number | null }) =>
    void action.run({ userId, kind, ...values }, onClose)
  return (
    <Modal
      open
      title={rule.content}
      okText={t('common:save')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: !fits }}
      onOk={() => send({ enabled, threshold })}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Field label={t('rule-raises')}>
          <Switch checked={enabled} onChange={setEnabled} />
        </Field>
        <Field
          label={t(UNITS[rule.unit])}
          hint={t('rule-bounds', { least, most })}
          fault={action.problemAt('threshold') ?? (fits ? undefined : t('rule-bounds', { least, most }))}
        >
          <InputNumber
            dir="ltr"
            precision={0}
            min={least}
            max={most}
            step={step}
            value={threshold}
            onChange={setThreshold}
          />
        </Field>
        {fits && (
          <Row stack gap="xs">
            <Text>{sentence(rule, threshold)}</Text>
            <Trial rule={rule} userId={userId} threshold={threshold} />
          </Row>
        )}
        {rule.decided === 'own' && (
          <span>
            <Button size="small" onClick={() => send({ enabled: null, threshold: null })}>
              {t('rule-take-back')}
            </Button>
          </span>
        )}
        <Problem text={action.problem} />
      </Row>
    </Modal>
  )
}

function Trial({ rule, userId, threshold }: { rule: Rule; userId: number | null; threshold: number }) {
  const { t } = useTranslation('alarm')
  const { number } = useFormats()
  const { data } = useCall('/wmWarnSet/tryRule', { userId, kind: rule.kind, threshold }, { keep: true })
  return (
    <Text tone="soft" role="status">
      {data && t(rule.standing ? 'rule-trial-now' : 'rule-trial', { times: number(data.count) })}
    </Text>
  )
}

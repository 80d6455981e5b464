/** How many runs each step of a roll-out waits for, and by how much robots may do worse than before. */
import { InputNumber, Switch } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Field } from '@/widgets/form/field'

export const USUAL_HEALTH = {
  healthRuns: 3,
  healthDays: 7,
  alarmsWorse: 50,
  assistsWorse: 50,
  coverageWorse: 5,
  areaWorse: 15,
  batteryWorse: 25,
}
type HealthPlan = typeof USUAL_HEALTH

const FIELDS = [
  ['healthRuns', 'health-runs'],
  ['healthDays', 'health-days'],
  ['alarmsWorse', 'worse-alarms'],
  ['assistsWorse', 'worse-assists'],
  ['coverageWorse', 'worse-coverage'],
  ['areaWorse', 'worse-area'],
  ['batteryWorse', 'worse-battery'],
] as const

interface Props {
  plan: HealthPlan
  onChange(plan: HealthPlan): void
}

export function HealthFields({ plan, onChange }: Props) {
  const { t } = useTranslation('rollout')
  const limits = LIMITS['/version/startRollout']
  const on = plan.healthRuns > 0
  return (
    <>
      <Field label={t('health-check')} hint={t('health-how')}>
        <Switch
          checked={on}
          onChange={(checked) => onChange({ ...plan, healthRuns: checked ? USUAL_HEALTH.healthRuns : 0 })}
        />
      </Field>
      {on &&
        FIELDS.map(([name, word]) => (
          <Field key={name} label={t(word)}>
            <InputNumber
              min={name === 'healthRuns' ? 1 : limits[name].minimum}
              max={limits[name].maximum}
              precision={0}
              value={plan[name]}
              onChange={(value) => onChange({ ...plan, [name]: value ?? USUAL_HEALTH[name] })}
            />
          </Field>
        ))}
    </>
  )
}

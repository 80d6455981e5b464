/** Which robots a roll-out comes to first: a growing share of all of them, or groups one after the other. */
import { Input, Segmented, Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Row } from '@/shared/ui/layout'
import { Field } from '@/widgets/form/field'

/** `groups` undefined: steps are shares, as `shares` has them, written by a person. */
export interface StepPlan {
  readonly shares: string
  readonly groups: readonly number[] | undefined
}

export const USUAL_STEPS: StepPlan = { shares: '10, 50, 100', groups: undefined }
export const ONE_STEP = [100]

/** Undefined: these are no steps. */
export function readSteps({ shares, groups }: StepPlan): { steps: number[]; groups: number[] } | undefined {
  if (groups) return groups.length > 0 ? { steps: ONE_STEP, groups: [...groups] } : undefined
  const steps = shares
    .split(/[\s,،、，]+/)
    .filter(Boolean)
    .map(Number)
  const ascend = steps.every((step, place) => Number.isInteger(step) && step > (steps[place - 1] ?? 0))
  return ascend && steps.at(-1) === 100 ? { steps, groups: [] } : undefined
}

interface Props {
  plan: StepPlan
  fault: string | undefined
  onChange(plan: StepPlan): void
}

export function StepFields({ plan, fault, onChange }: Props) {
  const { t } = useTranslation('rollout')
  const groups = useCall('/deviceGroup/selectAll', {})
  const byGroup = plan.groups !== undefined
  return (
    <Field label={t('steps')} hint={t(byGroup ? 'groups-how' : 'steps-how')} fault={fault}>
      <Row stack gap="s">
        <Segmented
          value={byGroup}
          options={[
            { value: false, label: t('by-share') },
            { value: true, label: t('by-group') },
          ]}
          onChange={(value) => onChange({ ...plan, groups: value ? [] : undefined })}
        />
        {byGroup ? (
          <Select
            mode="multiple"
            aria-label={t('by-group')}
            value={[...(plan.groups ?? [])]}
            maxCount={LIMITS['/version/startRollout'].groups.maxItems}
            loading={groups.isPending}
            optionFilterProp="label"
            options={groups.data?.list.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            onChange={(chosen) => onChange({ ...plan, groups: chosen })}
          />
        ) : (
          <Input
            aria-label={t('by-share')}
            value={plan.shares}
            dir="ltr"
            onChange={({ target }) => onChange({ ...plan, shares: target.value })}
          />
        )}
      </Row>
    </Field>
  )
}

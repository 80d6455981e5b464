/** What to look for among alarms: code, robot, owner, level, type, state, days. */
import { IconX } from '@tabler/icons-react'
import { Select } from 'antd'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { LEVEL_WORDS, LEVELS } from '@/widgets/alarm/levels'
import { DevicePicker } from '@/widgets/form/device-picker'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { Days } from '@/widgets/list/days'
import { Search } from '@/widgets/list/search'
import type { Filters } from './filters'
import { STATE_WORDS, STATES, TYPE_WORDS, TYPES } from './rows'

interface Props {
  values: Filters
  onChange(part: Partial<Filters>): void
}

export function AlarmFilters({ values, onChange }: Props) {
  const { t } = useTranslation('alarm')
  const options = <V extends number>(all: readonly V[], words: typeof STATE_WORDS) =>
    all.map((value) => ({ value, label: t(`common:${words[value] ?? 'alarm'}`) }))
  return (
    <Search text={values.code} hint={t('code')} dir="ltr" longest={64} onSearch={(code) => onChange({ code })}>
      <DevicePicker
        value={values.device}
        label={t('common:robot')}
        placeholder={t('every-robot')}
        onChange={(device) => onChange({ device })}
      />
      <OwnerTree value={values.owner} onChange={(owner) => onChange({ owner })} />
      <Choice
        label={t('state')}
        placeholder={t('every-state')}
        value={values.state}
        options={options(STATES, STATE_WORDS)}
        onChange={(state) => onChange({ state })}
      />
      <Choice
        label={t('type')}
        placeholder={t('every-type')}
        value={values.type}
        options={options(TYPES, TYPE_WORDS)}
        onChange={(type) => onChange({ type })}
      />
      <Choice
        label={t('common:alarm-level')}
        placeholder={t('every-level')}
        value={values.level}
        options={options(LEVELS, LEVEL_WORDS)}
        onChange={(level) => onChange({ level })}
      />
      {values.group !== undefined && (
        <Button icon={<IconX size={17} />} onClick={() => onChange({ group: undefined })}>
          {t('one-cause')}
        </Button>
      )}
      <Days from={values.from} to={values.to} onChange={onChange} />
    </Search>
  )
}

interface ChoiceProps<V> {
  label: string
  placeholder: string
  value: V | undefined
  options: readonly { value: V; label: string }[]
  onChange(value: V | undefined): void
}

const Choice = <V extends number>({ label, value, options, onChange, placeholder }: ChoiceProps<V>) => (
  <Select
    aria-label={label}
    placeholder={placeholder}
    value={value ?? null}
    allowClear
    popupMatchSelectWidth={false}
    options={[...options]}
    onChange={(chosen: V | null | undefined) => onChange(chosen ?? undefined)}
  />
)

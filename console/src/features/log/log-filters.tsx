/** What to look for in the audit: words, account, action, device, days, refusals. */
import { Checkbox, Select } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { DevicePicker } from '@/widgets/form/device-picker'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { Days } from '@/widgets/list/days'
import { Search } from '@/widgets/list/search'
import type { Filters } from './filters'

interface Props {
  values: Filters
  onChange(part: Partial<Filters>): void
}

export function LogFilters({ values, onChange }: Props) {
  const { t } = useTranslation('log')
  const actions = useCall('/log/actions', {})
  const choices = (actions.data?.list ?? []).map(({ action, actionName }) => ({ value: action, label: actionName }))
  return (
    <Search text={values.words} hint={t('search-log')} onSearch={(words) => onChange({ words })}>
      <OwnerTree
        value={values.user}
        onChange={(user) => onChange({ user })}
        words={{ label: t('account'), every: t('every-account'), named: (name) => t('account-named', { name }) }}
      />
      <Select
        aria-label={t('action')}
        value={values.action}
        onChange={(action) => onChange({ action })}
        loading={actions.isPending}
        showSearch={{ optionFilterProp: 'label' }}
        popupMatchSelectWidth={false}
        options={[{ value: '', label: t('all-actions') }, ...choices]}
      />
      <DevicePicker
        value={values.device}
        onChange={(device) => onChange({ device })}
        label={t('device')}
        placeholder={t('all-devices')}
      />
      <Days {...values} onChange={onChange} />
      <Checkbox checked={values.refused} onChange={(event) => onChange({ refused: event.target.checked })}>
        {t('only-refused')}
      </Checkbox>
    </Search>
  )
}

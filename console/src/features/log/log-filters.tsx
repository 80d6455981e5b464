/** What to look for in the audit: words, account, action, device, days, refusals. */
import { Checkbox, DatePicker, Select } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'
import { DevicePicker } from '@/widgets/form/device-picker'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { SearchForm } from '@/widgets/list/search-form'
import type { Filters } from './filters'
import styles from './log.module.css'

const DAY = 'YYYY-MM-DD'

interface Props {
  filters: Filters
  onChange(filters: Filters): void
}

export function LogFilters({ filters, onChange }: Props) {
  const { t } = useTranslation('log')
  const actions = useCall('/log/actions', {})
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part, page: 1 })
  const day = (text: string | undefined) => (text ? dayjs(text) : null)
  const choices = (actions.data?.list ?? []).map(({ action, actionName }) => ({ value: action, label: actionName }))
  return (
    <search>
      <SearchForm
        className={styles.filters}
        field={styles.words}
        text={filters.words}
        hint={t('search-log')}
        onSearch={(words) => change({ words })}
      >
        <OwnerTree
          value={filters.user}
          onChange={(user) => change({ user })}
          words={{
            label: t('account'),
            every: t('every-account'),
            named: (name) => t('account-named', { name }),
          }}
        />
        <Select
          aria-label={t('action')}
          value={filters.action}
          onChange={(action) => change({ action })}
          loading={actions.isPending}
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={false}
          options={[{ value: '', label: t('all-actions') }, ...choices]}
        />
        <DevicePicker
          value={filters.device}
          onChange={(device) => change({ device })}
          label={t('device')}
          placeholder={t('all-devices')}
        />
        <DatePicker.RangePicker
          className={styles.days ?? ''}
          aria-label={t('days')}
          value={[day(filters.from), day(filters.to)]}
          placeholder={[t('from'), t('to')]}
          allowEmpty={[true, true]}
          onChange={(range) => change({ from: range?.[0]?.format(DAY), to: range?.[1]?.format(DAY) })}
        />
        <Checkbox checked={filters.refused} onChange={(event) => change({ refused: event.target.checked })}>
          {t('only-refused')}
        </Checkbox>
      </SearchForm>
    </search>
  )
}

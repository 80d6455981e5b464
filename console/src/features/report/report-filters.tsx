/** What to look for among the reports: text, device, owner, days, result. */
import { DatePicker, Select } from 'antd'
import dayjs from 'dayjs'
import { useTranslation } from 'react-i18next'
import { DevicePicker } from '@/widgets/form/device-picker'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { SearchForm } from '@/widgets/list/search-form'
import { ENDS, type End, type Filters } from './filters'
import styles from './report-screen.module.css'

const ANY = ''
const DAY = 'YYYY-MM-DD'

interface Props {
  filters: Filters
  onChange(filters: Filters): void
}

export function ReportFilters({ filters, onChange }: Props) {
  const { t } = useTranslation('report')
  const change = (part: Partial<Filters>) => onChange({ ...filters, ...part, page: 1 })
  const days = (day: string | undefined) => (day ? dayjs(day) : null)
  return (
    <search>
      <SearchForm
        className={styles.filters}
        field={styles.text}
        text={filters.text}
        hint={t('text')}
        onSearch={(text) => change({ text })}
      >
        <DevicePicker
          value={filters.device}
          onChange={(device) => change({ device })}
          label={t('device')}
          placeholder={t('all-devices')}
        />
        <OwnerTree value={filters.owner} onChange={(owner) => change({ owner })} />
        <DatePicker.RangePicker
          className={styles.days ?? ''}
          aria-label={t('days')}
          value={[days(filters.from), days(filters.to)]}
          placeholder={[t('from'), t('to')]}
          allowEmpty={[true, true]}
          onChange={(range) => change({ from: range?.[0]?.format(DAY), to: range?.[1]?.format(DAY) })}
        />
        <Select
          aria-label={t('result')}
          value={filters.end ?? ANY}
          onChange={(end) => change({ end: (end as End) || undefined })}
          popupMatchSelectWidth={false}
          options={[{ value: ANY, label: t('any-end') }, ...ENDS.map((end) => ({ value: end, label: t(end) }))]}
        />
      </SearchForm>
    </search>
  )
}

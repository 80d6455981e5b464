/** An account of one level, by words; the server searches. Staff and shadows take nobody below them. */
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { rolesOf } from '@/widgets/person/person'
import { isStaff } from '../roles/levels'

const PAGE = 30

interface Props {
  level: number
  value: number | null
  /** Of the present one, which the search may not bring. */
  name: string
  onChange(userId: number): void
}

export function ParentPicker({ level, value, name, onChange }: Props) {
  const { t } = useTranslation('people')
  const [text, setText] = useState('')
  const [present] = useState({ value, name })
  const keyword = useDeferredValue(text)
  const accounts = useCall(
    '/user/selectUserList',
    { levels: [level], currentPage: 1, pageSize: PAGE, ...(keyword && { keyword }) },
    { keep: true },
  )
  const options = (accounts.data?.list ?? [])
    .filter((row) => !isStaff(rolesOf(row)))
    .map((row) => ({ value: row.userId, label: `${row.name} · ${row.account}` }))
  const known = present.value === null || options.some((option) => option.value === present.value)
  return (
    <Select
      aria-label={t('parent-user')}
      value={value}
      loading={accounts.isFetching}
      showSearch={{ filterOption: false, onSearch: setText }}
      onChange={(id: number | null) => id !== null && onChange(id)}
      notFoundContent={t('empty-search')}
      options={known ? options : [{ value: present.value, label: present.name }, ...options]}
    />
  )
}

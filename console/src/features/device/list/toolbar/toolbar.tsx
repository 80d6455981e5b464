/** What to look for: text (Enter or the button), type, owner, group. */
import { IconSearch } from '@tabler/icons-react'
import { Button, Input, Select } from 'antd'
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import type { Filters } from './filters'
import styles from './toolbar.module.css'
import { Tools } from './tools'

// its cascade weighs as much as all of this screen
const OwnerTree = lazy(async () => ({ default: (await import('@/widgets/form/owner-tree')).OwnerTree }))

type Type = Answer<'/device/selectDeviceType'>['list'][number]

const EVERY = 0

interface Props {
  filters: Filters
  onChange(filters: Filters): void
}

export function Toolbar({ filters, onChange }: Props) {
  const { t } = useTranslation('device')
  const [text, setText] = useState(filters.text)
  useEffect(() => setText(filters.text), [filters.text])
  const types = useCall('/device/selectDeviceType')
  const groups = useCall('/deviceGroup/selectAll', {})
  const search = (event: FormEvent) => {
    event.preventDefault()
    onChange({ ...filters, text: text.trim() })
  }
  return (
    <search>
      <form className={styles.bar} onSubmit={search}>
        <Input
          className={styles.text ?? ''}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={t('name-or-serial')}
          aria-label={t('name-or-serial')}
          prefix={<IconSearch size={16} stroke={1.75} />}
          maxLength={100}
          allowClear
          onClear={() => onChange({ ...filters, text: '' })}
        />
        <Select
          aria-label={t('device-type')}
          value={filters.type ?? EVERY}
          onChange={(type) => onChange({ ...filters, type: type || undefined })}
          popupMatchSelectWidth={false}
          options={[
            { value: EVERY, label: t('all-types') },
            ...(types.data?.list ?? []).map(({ typeId, typeName }: Type) => ({ value: typeId, label: typeName })),
          ]}
        />
        <Suspense fallback={<Select aria-label={t('owner')} loading placeholder={t('robot:every-owner')} />}>
          <OwnerTree value={filters.owner} onChange={(owner) => onChange({ ...filters, owner })} />
        </Suspense>
        {(groups.data?.list.length ?? 0) > 0 && (
          <Select
            aria-label={t('device-group')}
            value={filters.group ?? EVERY}
            onChange={(group) => onChange({ ...filters, group: group || undefined })}
            popupMatchSelectWidth={false}
            showSearch={{ optionFilterProp: 'label' }}
            options={[
              { value: EVERY, label: t('all-groups') },
              ...(groups.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        <Button htmlType="submit">{t('search')}</Button>
        <Tools filters={filters} />
      </form>
    </search>
  )
}

/** What to look for: text (Enter or the button), type, owner, group. */

import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { type FormEvent, lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '@/shared/controls/button'
import { Input } from '@/shared/controls/input'
import { Select } from '@/shared/controls/select'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { LIST_LIMITS } from '@/shared/rpc/first-limits'
import { useCall } from '@/shared/rpc/hooks'
import { withAntd } from '@/shared/theme/with-antd'
import { Row } from '@/shared/ui/layout'
import type { Filters, ListPayload } from './filters'
import styles from './toolbar.module.css'
import { Tools } from './tools'

/** Its cascade weighs as much as all of this screen: it comes when an owner is chosen. */
const OwnerTree = lazy(async () => ({
  default: await withAntd(async () => (await import('@/widgets/form/owner-tree')).OwnerTree),
}))

type Type = Answer<'/device/selectDeviceType'>['list'][number]

const EVERY = 0

interface Props {
  filters: Filters
  payload: ListPayload
  onChange(part: Partial<Filters>): void
}

export function Toolbar({ filters, payload, onChange }: Props) {
  const { t } = useTranslation('device')
  const [text, setText] = useState(filters.text)
  useEffect(() => setText(filters.text), [filters.text])
  const types = useCall('/device/selectDeviceType')
  const groups = useCall('/deviceGroup/selectAll', {})
  const search = (event: FormEvent) => {
    event.preventDefault()
    onChange({ text: text.trim() })
  }
  return (
    <search>
      <Row as="form" wrap gap="m" align="center" onSubmit={search}>
        <Input
          className={styles.text ?? ''}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={t('name-or-serial')}
          aria-label={t('name-or-serial')}
          prefix={<IconSearch size={16} stroke={1.75} />}
          maxLength={LIST_LIMITS.deviceCode.maxLength}
          onClear={() => onChange({ text: '' })}
        />
        <div className={styles.filters}>
          <Select
            aria-label={t('device-type')}
            value={filters.type ?? EVERY}
            onChange={(type) => onChange({ type: type || undefined })}
            options={[
              { value: EVERY, label: t('all-types') },
              ...(types.data?.list ?? []).map(({ typeId, typeName }: Type) => ({ value: typeId, label: typeName })),
            ]}
          />
          <OwnerChoice value={filters.owner} onChange={(owner) => onChange({ owner })} />
          {(groups.data?.list.length ?? 0) > 0 && (
            <Select
              aria-label={t('device-group')}
              value={filters.group ?? EVERY}
              onChange={(group) => onChange({ group: group || undefined })}
              options={[
                { value: EVERY, label: t('all-groups') },
                ...(groups.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          <Button htmlType="submit">{t('search')}</Button>
        </div>
        <Tools payload={payload} />
      </Row>
    </search>
  )
}

interface OwnerProps {
  value: number | undefined
  onChange(owner: number | undefined): void
}

/** Until somebody chooses, a button stands for the tree. */
function OwnerChoice({ value, onChange }: OwnerProps) {
  const { t } = useTranslation('robot')
  const [opened, setOpened] = useState(false)
  const button = (
    <Button
      className={styles.owner ?? ''}
      aria-label={`${t('owner')}: ${t('every-owner')}`}
      aria-haspopup="listbox"
      loading={opened}
      onClick={() => setOpened(true)}
    >
      {t('every-owner')}
      <IconChevronDown size={14} stroke={1.75} aria-hidden="true" />
    </Button>
  )
  if (value === undefined && !opened) return button
  return (
    <Suspense fallback={button}>
      <OwnerTree value={value} startOpen={opened} onChange={onChange} />
    </Suspense>
  )
}

/** Hardware parts by category, with in how many devices each is fitted; one in use stays. */
import { Select } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import type { RegistryField } from './entry-dialog'
import { EntryDialogs, type EntryRequest, type Kind } from './entry-dialogs'
import { Ledger } from './ledger'
import styles from './registry.module.css'
import { chosen, named } from './rules'

type PartRow = Answer<'/deviceHardSupport/list'>['list'][number]

const PARTS: Kind<PartRow> = {
  insert: '/deviceHardSupport/insert',
  update: '/deviceHardSupport/update',
  remove: '/deviceHardSupport/delete',
  id: 'id',
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
}

const EVERY = 0

export function PartList({ head }: { head: ReactNode }) {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const [params, setParams] = useSearchParams()
  const category = Number(params.get('category')) || EVERY
  const query = useCall('/deviceHardSupport/list', category ? { type: String(category) } : {}, { keep: true })
  const [request, ask] = useState<EntryRequest<PartRow>>()
  const categories = useCall('/deviceHardSupport/listCate', {})
  const options = (categories.data?.list ?? []).map(({ cate_id, cate_name }) => ({ value: cate_id, label: cate_name }))
  const entries: RegistryField[] = useMemo(
    () => [
      { name: 'hard_support_text', label: 'name', rule: named },
      {
        ...{ name: 'cate_id', label: 'category', kind: 'choice' as const, rule: chosen('fault-category') },
        options: (categories.data?.list ?? []).map((category) => ({
          value: category.cate_id,
          label: category.cate_name,
        })),
      },
      { name: 'version', label: 'version', ltr: true, longest: 64 },
    ],
    [categories.data],
  )
  const add = <AddButton onClick={() => ask('new')}>{t('add-part')}</AddButton>
  return (
    <>
      <search className={styles.bar}>
        {head}
        <Select
          aria-label={t('category')}
          value={category}
          options={[{ value: EVERY, label: t('all-categories') }, ...options]}
          showSearch={{ optionFilterProp: 'label' }}
          popupMatchSelectWidth={false}
          onChange={(next) => setParams(next ? { category: String(next) } : {}, { replace: true })}
        />
        <div className={styles.rest}>{add}</div>
      </search>
      <Ledger
        label={t('hardware-part')}
        columns={['name', 'category', 'version', 'device']}
        query={query}
        kind={PARTS}
        filtered={category !== EVERY}
        none={<Nothing why={t('no-parts')} action={add} />}
        cells={(part) => [
          <bdi key="category">{part.cate_name}</bdi>,
          <bdi key="version" dir="ltr">
            {part.version}
          </bdi>,
          number(part.robots),
        ]}
        onAsk={ask}
      />
      <EntryDialogs
        kind={PARTS}
        request={request}
        title={t('add-part')}
        entries={entries}
        start={{ hard_support_text: '', cate_id: category || null, version: '' }}
        query={query}
        onClose={() => ask(undefined)}
      />
    </>
  )
}

/** Hardware parts by category, with in how many devices each is fitted; one in use stays. */
import { Select } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { needed } from '@/widgets/form/rules'
import { filters, number, useFilters } from '@/widgets/list/filters'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { required } from './rules'

const FILTERS = filters({ category: number((category) => ({ type: String(category) })) })
const EVERY = 0

function useCategories() {
  const categories = useCall('/deviceHardSupport/listCate', {}).data?.list ?? []
  return { cate_id: categories.map(({ cate_id, cate_name }) => ({ value: cate_id, label: cate_name })) }
}

const PARTS = resource({
  name: 'part',
  texts: 'registry',
  label: 'hardware-part',
  add: 'add-part',
  empty: 'no-parts',
  list: '/deviceHardSupport/list',
  insert: '/deviceHardSupport/insert',
  update: '/deviceHardSupport/update',
  remove: '/deviceHardSupport/delete',
  id: 'id',
  key: 'id',
  title: 'name',
  columns: [
    { key: 'name', label: 'name', heading: true },
    { key: 'cate_name', label: 'category' },
    { key: 'version', label: 'version', ltr: true },
    { key: 'robots', label: 'robots' },
  ],
  fields: [
    { name: 'hard_support_text', label: 'name', rule: required },
    { name: 'cate_id', label: 'category', kind: 'choice', rule: needed('fault-category') },
    { name: 'version', label: 'version', ltr: true },
  ],
  start: { hard_support_text: '', cate_id: null, version: '' },
  useOptions: useCategories,
})

export function PartList({ head }: { head: ReactNode }) {
  const { t } = useTranslation('registry')
  const { values, payload, narrowed, change, reset } = useFilters(FILTERS)
  const { cate_id } = useCategories()
  return (
    <ResourceScreen
      of={PARTS}
      {...{ payload, narrowed }}
      onReset={reset}
      start={{ cate_id: values.category ?? null }}
      search={
        <>
          {head}
          <Select
            aria-label={t('category')}
            value={values.category ?? EVERY}
            options={[{ value: EVERY, label: t('all-categories') }, ...cate_id]}
            showSearch={{ optionFilterProp: 'label' }}
            popupMatchSelectWidth={false}
            onChange={(category) => change({ category: category || undefined })}
          />
        </>
      }
    />
  )
}

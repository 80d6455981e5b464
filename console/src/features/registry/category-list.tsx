/** Categories of hardware parts; one that has parts stays. */
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import type { RegistryField } from './entry-dialog'
import { EntryDialogs, type EntryRequest, type Kind } from './entry-dialogs'
import { Ledger } from './ledger'
import styles from './registry.module.css'
import { named } from './rules'

type CategoryRow = Answer<'/deviceHardSupport/listCateGroup'>['list'][number]

const CATEGORIES: Kind<CategoryRow> = {
  insert: '/deviceHardSupport/insertCate',
  update: '/deviceHardSupport/updateCate',
  remove: '/deviceHardSupport/deleteCate',
  id: 'cateId',
  idOf: ({ cate_id }) => cate_id,
  nameOf: ({ cate_name }) => cate_name,
}

const ENTRIES: readonly RegistryField[] = [
  { name: 'cateName', of: 'cate_name', label: 'name', rule: named, wide: true },
]

export function CategoryList({ head }: { head: ReactNode }) {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const query = useCall('/deviceHardSupport/listCateGroup', {})
  const [request, ask] = useState<EntryRequest<CategoryRow>>()
  const add = <AddButton onClick={() => ask('new')}>{t('add-category')}</AddButton>
  return (
    <>
      <div className={styles.bar}>
        {head}
        <div className={styles.rest}>{add}</div>
      </div>
      <Ledger
        label={t('category')}
        columns={['name', 'hardware-part']}
        query={query}
        kind={CATEGORIES}
        none={<Nothing why={t('no-categories')} action={add} />}
        cells={(category) => [number(category.children.length)]}
        onAsk={ask}
      />
      <EntryDialogs
        kind={CATEGORIES}
        request={request}
        title={t('add-category')}
        entries={ENTRIES}
        start={{}}
        query={query}
        onClose={() => ask(undefined)}
      />
    </>
  )
}

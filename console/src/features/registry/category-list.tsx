/** Categories of hardware parts; one that has parts stays. */
import { IconPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing, Shown } from '@/shared/ui/shown'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog } from './entry-dialog'
import { DeleteDialog, Ledger } from './ledger'
import styles from './registry.module.css'
import { named, type Values } from './rules'
import { useEntry } from './use-entry'

type CategoryRow = Answer<'/deviceHardSupport/listCateGroup'>['list'][number]

const ENTRIES: readonly Entry[] = [{ name: 'cateName', label: 'name', rule: named, wide: true }]
const FIELDS = ['cateName']

export function CategoryList({ head }: { head: ReactNode }) {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const query = useCall('/deviceHardSupport/listCateGroup', {})
  const make = useDeed('/deviceHardSupport/insertCate', t('add'), FIELDS)
  const change = useDeed('/deviceHardSupport/updateCate', t('save'), FIELDS)
  const remove = useDeed('/deviceHardSupport/deleteCate', t('delete'))
  const { open, setOpen, leaving, setLeaving, close } = useEntry<CategoryRow>([make, change, remove])
  const row = query.data?.list.find(({ cate_id }) => cate_id === open)
  const send = (values: Values, updateTime: string | undefined) => {
    const told = { cateName: String(values.cateName) }
    if (open === 'new') make.run(told, close)
    else if (open !== undefined) change.run({ ...told, cateId: open, ...(updateTime && { updateTime }) }, close)
  }
  const add = (
    <Button type="primary" icon={<IconPlus size={17} stroke={2} />} onClick={() => setOpen('new')}>
      {t('add-category')}
    </Button>
  )
  return (
    <>
      <div className={styles.bar}>
        {head}
        <div className={styles.rest}>{add}</div>
      </div>
      <Shown
        query={query}
        isEmpty={({ list }) => list.length === 0}
        empty={<Nothing why={t('no-categories')} action={add} />}
      >
        {({ list }) => (
          <Ledger
            label={t('category')}
            columns={['name', 'hardware-part']}
            rows={list}
            nameOf={(one) => one.cate_name}
            idOf={(one) => one.cate_id}
            cells={(one) => [number(one.children.length)]}
            onEdit={(one) => setOpen(one.cate_id)}
            onDelete={setLeaving}
          />
        )}
      </Shown>
      {(open === 'new' || row) && (
        <EntryDialog
          title={row ? t('edit-named', { name: row.cate_name }) : t('add-category')}
          entries={ENTRIES}
          row={row && { cateName: row.cate_name, updateTime: row.updateTime }}
          start={{ cateName: '' }}
          deed={open === 'new' ? make : change}
          onSend={send}
          onRefresh={query.refetch}
          onClose={close}
        />
      )}
      {leaving && (
        <DeleteDialog
          name={leaving.cate_name}
          busy={remove.busy}
          problem={remove.problem}
          onDelete={() => remove.run({ cateId: leaving.cate_id }, close)}
          onClose={close}
        />
      )}
    </>
  )
}

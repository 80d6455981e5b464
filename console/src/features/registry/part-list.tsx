/** Hardware parts by category, with in how many devices each is fitted; one in use stays. */
import { IconPlus } from '@tabler/icons-react'
import { Button, Select } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing, Shown } from '@/shared/ui/shown'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog } from './entry-dialog'
import { DeleteDialog, Ledger } from './ledger'
import styles from './registry.module.css'
import { chosen, named, type Values } from './rules'
import { useEntry } from './use-entry'

type PartRow = Answer<'/deviceHardSupport/list'>['list'][number]

const FIELDS = ['hard_support_text', 'cate_id', 'version']
const EVERY = 0

export function PartList({ head }: { head: ReactNode }) {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const [params, setParams] = useSearchParams()
  const category = Number(params.get('category')) || EVERY
  const query = useCall('/deviceHardSupport/list', category ? { type: String(category) } : {}, { keep: true })
  const categories = useCall('/deviceHardSupport/listCate', {})
  const make = useDeed('/deviceHardSupport/insert', t('add'), FIELDS)
  const change = useDeed('/deviceHardSupport/update', t('save'), FIELDS)
  const remove = useDeed('/deviceHardSupport/delete', t('delete'))
  const { open, setOpen, leaving, setLeaving, close } = useEntry<PartRow>([make, change, remove])
  const options = (categories.data?.list ?? []).map(({ cate_id, cate_name }) => ({ value: cate_id, label: cate_name }))
  const entries: Entry[] = useMemo(
    () => [
      { name: 'hard_support_text', label: 'name', rule: named },
      {
        ...{ name: 'cate_id', label: 'category', kind: 'choice' as const, rule: chosen('fault-category') },
        options: (categories.data?.list ?? []).map((one) => ({ value: one.cate_id, label: one.cate_name })),
      },
      { name: 'version', label: 'version', ltr: true, longest: 64 },
    ],
    [categories.data],
  )
  const row = query.data?.list.find(({ id }) => id === open)
  const send = (values: Values, updateTime: string | undefined) => {
    const told = values as unknown as Parameters<typeof make.run>[0]
    if (open === 'new') make.run(told, close)
    else if (open !== undefined) change.run({ ...told, id: open, ...(updateTime && { updateTime }) }, close)
  }
  const add = (
    <Button type="primary" icon={<IconPlus size={17} stroke={2} />} onClick={() => setOpen('new')}>
      {t('add-part')}
    </Button>
  )
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
      <Shown
        query={query}
        isEmpty={({ list }) => list.length === 0}
        filtered={category !== EVERY}
        empty={<Nothing why={t('no-parts')} action={add} />}
      >
        {({ list }) => (
          <Ledger
            label={t('hardware-part')}
            columns={['name', 'category', 'version', 'device']}
            rows={list}
            nameOf={(part) => part.name}
            idOf={(part) => part.id}
            cells={(part) => [
              <bdi key="category">{part.cate_name}</bdi>,
              <bdi key="version" dir="ltr">
                {part.version}
              </bdi>,
              number(part.robots),
            ]}
            onEdit={(part) => setOpen(part.id)}
            onDelete={setLeaving}
          />
        )}
      </Shown>
      {(open === 'new' || row) && (
        <EntryDialog
          title={row ? t('edit-named', { name: row.name }) : t('add-part')}
          entries={entries}
          row={row}
          start={{ hard_support_text: '', cate_id: category || null, version: '' }}
          deed={open === 'new' ? make : change}
          onSend={send}
          onRefresh={query.refetch}
          onClose={close}
        />
      )}
      {leaving && (
        <DeleteDialog
          name={leaving.name}
          busy={remove.busy}
          problem={remove.problem}
          onDelete={() => remove.run({ id: leaving.id }, close)}
          onClose={close}
        />
      )}
    </>
  )
}

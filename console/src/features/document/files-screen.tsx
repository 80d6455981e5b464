/** /file/file_list: files that are handed out to those below. */
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { CategoryFilter } from './category-filter'
import { FileDialog } from './file-dialog'
import { FileLink } from './file-link'
import { FILE_FILTERS } from './filters'
import { type DocumentRow, PAGE } from './rows'

const COLUMNS: readonly Column<DocumentRow>[] = [
  { key: 'name', label: 'name', heading: true },
  {
    key: 'file',
    label: 'file',
    value: ({ file }) => file,
    cell: ({ id, files: [file] }, { t }) => (file ? <FileLink document={id} file={file} /> : t('file-gone')),
  },
  { key: 'category', label: 'category' },
  { key: 'detail', label: 'detail', cut: true },
  { key: 'ownerName', label: 'from' },
  { key: 'updateTime', label: 'updated', cell: (row, { dateTime }) => dateTime(Date.parse(row.updateTime)) },
]

export function FilesScreen() {
  const { t } = useTranslation('document')
  const { values, change, list } = usePagedList('/file/findAll', FILE_FILTERS, { size: PAGE })
  const categories = useCall('/file/getCate', {}).data ?? []
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<DocumentRow>()
  const add = <AddButton onClick={() => setAdding(true)}>{t('add-file')}</AddButton>
  return (
    <Page>
      <ListView
        name="files"
        texts="document"
        label={t('files')}
        columns={COLUMNS}
        {...list}
        idOf={({ id }) => id}
        empty={<Nothing why={t('no-files')} action={add} />}
        tools={add}
        actions={(row) =>
          row.ours && (
            <LineAction
              danger
              icon={IconTrash}
              label={t('common:delete')}
              name={row.name}
              onClick={() => setLeaving(row)}
            />
          )
        }
        search={
          <Search text={values.text} hint={t('search-files')} onSearch={(text) => change({ text })}>
            <CategoryFilter
              value={values.category}
              categories={categories}
              onChange={(category) => change({ category })}
            />
          </Search>
        }
      />
      {adding && <FileDialog categories={categories} onClose={() => setAdding(false)} />}
      {leaving && <Deletion row={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

function Deletion({ row, onClose }: { row: DocumentRow; onClose(): void }) {
  const { t } = useTranslation('document')
  const action = useAction('/file/del', t('common:delete'))
  return (
    <DeleteDialog
      name={row.name}
      action={action}
      onDelete={() => void action.run({ id: row.id }, onClose)}
      onClose={onClose}
    />
  )
}

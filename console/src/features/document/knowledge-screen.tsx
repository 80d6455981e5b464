/** /file/knowledge: articles for those below, found by their words or by the fault code that they explain. */
import { useState } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { ArticleDialog } from './article-dialog'
import { ArticleView } from './article-view'
import { CategoryFilter } from './category-filter'
import { KNOWLEDGE_FILTERS } from './filters'
import { type DocumentRow, PAGE, summaryOf } from './rows'

const COLUMNS: readonly Column<DocumentRow>[] = [
  {
    key: 'name',
    label: 'title',
    heading: true,
    cell: ({ id, name }) => (
      <Link to={`/file/knowledge?article=${id}`} dir="auto">
        {name}
      </Link>
    ),
  },
  { key: 'detail', label: 'text', value: ({ detail }) => summaryOf(detail), cut: true, soft: true },
  { key: 'category', label: 'category' },
  { key: 'codes', label: 'fault-codes', ltr: true, value: ({ codes }) => codes.join(' ') },
  { key: 'ownerName', label: 'from' },
  { key: 'updateTime', label: 'updated', cell: (row, { dateTime }) => dateTime(Date.parse(row.updateTime)) },
]

export function KnowledgeScreen() {
  const { t } = useTranslation('document')
  const { values, change, list } = usePagedList('/file/findAllKnowledge', KNOWLEDGE_FILTERS, { size: PAGE })
  const categories = useCall('/file/getCateKnowledge', {}).data ?? []
  const [writing, setWriting] = useState<DocumentRow | 'new'>()
  const [leaving, setLeaving] = useState<DocumentRow>()
  const show = (article: number | undefined) => change({ article })
  const add = <AddButton onClick={() => setWriting('new')}>{t('write-article')}</AddButton>
  return (
    <Page>
      {values.article === undefined ? (
        <ListView
          name="knowledge"
          texts="document"
          label={t('articles')}
          columns={COLUMNS}
          {...list}
          idOf={({ id }) => id}
          onOpen={({ id }) => show(id)}
          empty={<Nothing why={t('no-articles')} action={add} />}
          tools={add}
          search={
            <Search text={values.text} hint={t('search-articles')} onSearch={(text) => change({ text })}>
              <CategoryFilter
                value={values.category}
                categories={categories}
                onChange={(category) => change({ category })}
              />
            </Search>
          }
        />
      ) : (
        <ShownArticle id={values.article} onBack={() => show(undefined)} onEdit={setWriting} onDelete={setLeaving} />
      )}
      {writing && (
        <ArticleDialog
          article={writing === 'new' ? undefined : writing}
          categories={categories}
          onClose={(id) => {
            setWriting(undefined)
            if (id) show(id)
          }}
        />
      )}
      {leaving && (
        <Deletion
          row={leaving}
          onClose={(deleted) => {
            setLeaving(undefined)
            if (deleted) show(undefined)
          }}
        />
      )}
    </Page>
  )
}

interface ArticleProps {
  id: number
  onBack(): void
  onEdit(row: DocumentRow): void
  onDelete(row: DocumentRow): void
}

function ShownArticle({ id, onBack, onEdit, onDelete }: ArticleProps) {
  const { t } = useTranslation('document')
  const query = useCall('/file/findAllKnowledge', { id, currentPage: 1, pageSize: 1 })
  return (
    <QueryView query={query}>
      {({ list: [article] }) =>
        article ? (
          <ArticleView
            article={article}
            onBack={onBack}
            onEdit={() => onEdit(article)}
            onDelete={() => onDelete(article)}
          />
        ) : (
          <Nothing why={t('article-gone')} action={<AddButton onClick={onBack}>{t('all-articles')}</AddButton>} />
        )
      }
    </QueryView>
  )
}

function Deletion({ row, onClose }: { row: DocumentRow; onClose(deleted?: boolean): void }) {
  const { t } = useTranslation('document')
  const action = useAction('/file/delKnowledge', t('common:delete'))
  return (
    <DeleteDialog
      name={row.name}
      action={action}
      onDelete={() => void action.run({ id: row.id }, () => onClose(true))}
      onClose={() => onClose()}
    >
      {row.files.length > 0 && <Text>{t('files-go', { count: row.files.length })}</Text>}
    </DeleteDialog>
  )
}

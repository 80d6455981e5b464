/** Writes an article, or writes it anew: its text in Markdown beside how it will look, with files attached. */
import { Input, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { FilePicker } from '@/widgets/files/file-picker'
import { nameOf, toFileName } from '@/widgets/files/names'
import { useUploads } from '@/widgets/files/use-uploads'
import { DraftNote } from '@/widgets/form/draft/draft-note'
import { useDraft } from '@/widgets/form/draft/use-draft'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import styles from './article.module.css'
import { CategoryInput } from './category-input'
import { Prose } from './markdown'
import { type DocumentRow, type FileOfDocument, MOST_FILES } from './rows'

const SIZES = LIMITS['/file/addKnowledge']
const SEPARATOR = /[\s,，、;；]+/

interface Props {
  /** What stands there now; undefined where it is new. */
  article: DocumentRow | undefined
  categories: readonly string[]
  onClose(id?: number): void
}

const startOf = (article: DocumentRow | undefined) => ({
  name: article?.name ?? '',
  category: article?.category ?? '',
  detail: article?.detail ?? '',
  codes: article?.codes.join(' ') ?? '',
})

type Values = ReturnType<typeof startOf>

export function ArticleDialog({ article, categories, onClose }: Props) {
  const { t } = useTranslation('document')
  const draft = useDraft<Values>(article ? `/file/addKnowledge ${article.id}` : '/file/addKnowledge')
  const [values, setValues] = useState<Values>(() => draft.left ?? startOf(article))
  const [former, setFormer] = useState<readonly FileOfDocument[]>(article?.files ?? [])
  const [picked, setPicked] = useState<readonly File[]>([])
  const [submitted, setSubmitted] = useState(false)
  const [preview, setPreview] = useState(false)
  const uploads = useUploads('knowledge')
  const action = useAction('/file/addKnowledge', t('publish'), ['name', 'category', 'detail', 'file', 'codes'])
  const change = (part: Partial<Values>) => {
    draft.keep({ ...values, ...part })
    setValues((all) => ({ ...all, ...part }))
  }
  const missing = (name: 'name' | 'category') =>
    (submitted && values[name].trim() === '' ? t('required-field') : undefined) ?? action.problemAt(name)
  const pick = (files: readonly File[]) => {
    const fresh = files.filter(({ name }) => !picked.some((known) => known.name === name))
    const room = MOST_FILES - former.length - picked.length
    uploads.setFault(fresh.length > room ? t('file-limits', { count: MOST_FILES }) : undefined)
    setPicked([...picked, ...fresh.slice(0, room)])
  }
  const send = async () => {
    setSubmitted(true)
    if (values.name.trim() === '' || values.category.trim() === '') return
    const paths = await uploads.send(picked.map((file) => [file, toFileName(file.name)] as const))
    if (!paths) return
    const file = [...new Set([...former.map(({ path }) => path), ...paths])]
    const codes = values.codes.split(SEPARATOR).filter(Boolean)
    await action.run({ ...values, codes, file, id: article?.id ?? null }, ({ id }) => {
      draft.discard()
      onClose(id)
    })
  }
  return (
    <Modal
      open
      width={820}
      title={t(article ? 'edit-article' : 'write-article')}
      okText={t('publish')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy || uploads.part !== undefined }}
      onOk={() => void send()}
      {...draft.closing(() => {
        uploads.discard()
        onClose()
      })}
    >
      <DraftNote
        savedAt={draft.savedAt}
        onDiscard={() => {
          draft.discard()
          setValues(startOf(article))
        }}
      />
      <Columns gap="xl" lines="none">
        <Field label={t('title')} fault={missing('name')}>
          <Input
            dir="auto"
            value={values.name}
            maxLength={SIZES.name.maxLength}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Field label={t('common:category')} hint={t('category-how')} fault={missing('category')}>
          <CategoryInput
            value={values.category}
            categories={categories}
            maxLength={SIZES.category.maxLength}
            onChange={(category) => change({ category })}
          />
        </Field>
        <div data-wide>
          <Row gap="m" align="center" below="s">
            <Segmented
              value={preview}
              options={[
                { value: false, label: t('write') },
                { value: true, label: t('preview') },
              ]}
              onChange={setPreview}
            />
            <Text as="span" size="small" tone="soft">
              {t('markdown-how')}
            </Text>
          </Row>
          {preview ? (
            <div className={styles.preview}>
              <Prose text={values.detail} />
            </div>
          ) : (
            <Field label={t('text')} fault={action.problemAt('detail')}>
              <Input.TextArea
                dir="auto"
                rows={12}
                value={values.detail}
                maxLength={SIZES.detail.maxLength}
                onChange={(event) => change({ detail: event.target.value })}
              />
            </Field>
          )}
        </div>
        <div data-wide>
          <Field label={t('fault-codes')} hint={t('codes-how')} fault={action.problemAt('codes')}>
            <Input dir="ltr" value={values.codes} onChange={(event) => change({ codes: event.target.value })} />
          </Field>
        </div>
        <div data-wide>
          <FilePicker
            files={[
              ...former.map(({ path, size }) => ({ key: path, name: nameOf(path), size })),
              ...picked.map(({ name, size }) => ({ key: name, name: toFileName(name), size })),
            ]}
            most={MOST_FILES}
            part={uploads.part}
            waiting={uploads.waiting}
            onPick={pick}
            onRemove={(key) => {
              setFormer(former.filter(({ path }) => path !== key))
              setPicked(picked.filter(({ name }) => name !== key))
            }}
          />
          <Problem text={uploads.fault ?? action.problemAt('file')} />
        </div>
      </Columns>
      <Problem text={action.problem} />
    </Modal>
  )
}

/** Hands out a file to those below. One of the same name is replaced, which the dialog says. */
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { FilePicker } from '@/widgets/files/file-picker'
import { isFileName, toFileName } from '@/widgets/files/names'
import { useUploads } from '@/widgets/files/use-uploads'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { CategoryInput } from './category-input'

const SIZES = LIMITS['/file/add']

interface Props {
  categories: readonly string[]
  onClose(): void
}

export function FileDialog({ categories, onClose }: Props) {
  const { t } = useTranslation('document')
  const [values, setValues] = useState({ name: '', category: '', detail: '' })
  const [file, setFile] = useState<File>()
  const [submitted, setSubmitted] = useState(false)
  const uploads = useUploads('files')
  const action = useAction('/file/add', t('add-file'), ['name', 'category', 'detail', 'file'])
  const change = (part: Partial<typeof values>) => setValues((all) => ({ ...all, ...part }))
  const name = values.name.trim()
  const misnamed = isFileName(name) ? undefined : t('file-name-fault')
  const faults = {
    name: name === '' ? t('required-field') : misnamed,
    category: values.category.trim() === '' ? t('required-field') : undefined,
    file: file ? undefined : t('required-field'),
  }
  const fault = (name: keyof typeof faults) => (submitted ? faults[name] : undefined) ?? action.problemAt(name)
  const send = async () => {
    setSubmitted(true)
    if (!file || faults.name || faults.category) return
    const [path] = (await uploads.send([[file, name]])) ?? []
    if (path) await action.run({ ...values, file: path }, onClose)
  }
  return (
    <Modal
      open
      width={600}
      title={t('add-file')}
      okText={t('common:add')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy || uploads.part !== undefined }}
      onOk={() => void send()}
      onCancel={() => {
        uploads.discard()
        onClose()
      }}
    >
      <Columns gap="xl" lines="none">
        <div data-wide>
          <FilePicker
            files={file ? [{ key: file.name, name: file.name, size: file.size }] : []}
            most={1}
            part={uploads.part}
            waiting={uploads.waiting}
            onPick={([picked]) => {
              setFile(picked)
              if (picked) change({ name: toFileName(picked.name) })
            }}
            onRemove={() => setFile(undefined)}
          />
          <Problem text={uploads.fault ?? fault('file')} />
        </div>
        <Field label={t('name')} hint={t('file-name-how')} fault={fault('name')}>
          <Input
            value={values.name}
            maxLength={SIZES.name.maxLength}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Field label={t('common:category')} hint={t('category-how')} fault={fault('category')}>
          <CategoryInput
            value={values.category}
            categories={categories}
            maxLength={SIZES.category.maxLength}
            onChange={(category) => change({ category })}
          />
        </Field>
        <div data-wide>
          <Field label={t('detail')} fault={action.problemAt('detail')}>
            <Input.TextArea
              rows={2}
              value={values.detail}
              maxLength={SIZES.detail.maxLength}
              onChange={(event) => change({ detail: event.target.value })}
            />
          </Field>
        </div>
      </Columns>
      <Problem text={action.problem} />
    </Modal>
  )
}

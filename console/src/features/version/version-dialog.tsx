/** Adds a version with its files, or edits it: the fields of a form, and above them a place for each file. */
import { useState } from 'react'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import type { CallPath } from '@/shared/rpc/contract'
import { Row, Text } from '@/shared/ui/layout'
import { FilePicker } from '@/widgets/files/file-picker'
import { toFileName } from '@/widgets/files/names'
import { useUploads } from '@/widgets/files/use-uploads'
import { Problem } from '@/widgets/form/field'
import { type FormField, type FormRow, limitsOf, type Option, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { useAction } from '@/widgets/form/use-action'
import type { FileOfVersion } from './rows'

interface FilePart {
  /** Its name in the payload. */
  readonly name: string
  readonly label: TextKey<'version'>
  readonly needed: boolean
  /** What the version has now. */
  readonly former: FileOfVersion | null | undefined
}

interface Props {
  title: string
  fields: readonly FormField<string, TextKey<'version'>>[]
  files: readonly FilePart[]
  options?: Readonly<Record<string, readonly Option[]>>
  /** What stands there now; undefined where it is new. */
  row?: FormRow | undefined
  start: Values
  insert: CallPath
  update: CallPath
  /** What the payload has besides. */
  beside?: Values
  onRefresh?(): Promise<unknown>
  onClose(): void
}

const NONE = {}

export function VersionDialog(props: Props) {
  const { title, fields, files, options = NONE, row, start, insert, update, beside = NONE, onRefresh, onClose } = props
  const { t } = useTranslation('version')
  const [picked, setPicked] = useState<Readonly<Record<string, File | null>>>({})
  const [submitted, setSubmitted] = useState(false)
  const uploads = useUploads('versions')
  const names = [...fields.map((field) => field.name), ...files.map((file) => file.name)]
  const action = useAction(row ? update : insert, t(row ? 'common:save' : 'common:add'), names)
  const lacks = ({ name, needed, former }: FilePart) => needed && !picked[name] && !former
  const send = async (values: Values, updateTime: string | undefined) => {
    setSubmitted(true)
    if (files.some(lacks)) return
    const fresh = files.flatMap(({ name }) => (picked[name] ? [{ name, file: picked[name] }] : []))
    const paths = await uploads.send(fresh.map(({ name, file }) => [file, `${name}-${toFileName(file.name)}`] as const))
    if (!paths) return
    const removed = files.filter(({ name }) => picked[name] === null).map(({ name }) => [name, ''])
    const stored = Object.fromEntries([...removed, ...fresh.map(({ name }, place) => [name, paths[place]])])
    const known = row && { id: row.id, ...(updateTime && { updateTime }) }
    // The fields are the call's own, which its screen names.
    await action.run({ ...values, ...beside, ...stored, ...known } as never, onClose)
  }
  const head = (
    <Row stack gap="m" below="m">
      {files.map((part, place) => {
        const file = picked[part.name]
        const former = file === undefined && part.former
        const entries = file
          ? [{ key: file.name, name: toFileName(file.name), size: file.size }]
          : former
            ? [{ key: former.path, name: former.path, size: former.size }]
            : []
        const fault = submitted && lacks(part) ? t('required-file') : action.problemAt(part.name)
        return (
          <div key={part.name}>
            <Text size="small">{t(part.label)}</Text>
            <FilePicker
              files={entries}
              most={1}
              part={uploads.part}
              waiting={uploads.waiting}
              quota={place === files.length - 1}
              onPick={([chosen]) => chosen && setPicked((all) => ({ ...all, [part.name]: chosen }))}
              onRemove={() =>
                setPicked((all) => ({ ...all, [part.name]: part.needed ? undefined : null }) as typeof all)
              }
            />
            <Problem text={fault} />
          </div>
        )
      })}
      <Problem text={uploads.fault} />
    </Row>
  )
  return (
    <FormDialog
      texts="version"
      limits={limitsOf(insert)}
      {...{ title, fields, options, row, start, head }}
      {...(onRefresh && { onRefresh })}
      draft={row ? `${update} ${row.id}` : [insert, ...Object.values(beside)].join(' ')}
      action={{ ...action, busy: action.busy || uploads.part !== undefined }}
      onSend={(values, updateTime) => void send(values, updateTime)}
      onClose={() => {
        uploads.discard()
        onClose()
      }}
    />
  )
}

/** Where the files of a map are dropped or picked. A pick adds to one that was not whole, and else takes its place. */
import { IconFileUpload } from '@tabler/icons-react'
import { Upload } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { picked } from './files'

interface Props {
  files: readonly File[]
  label: string
  how: string
  accept: string
  onPick(files: readonly File[]): void
}

export function FileDrop({ files, label, how, accept, onPick }: Props) {
  const { t } = useTranslation('map')
  const choice = picked(files)
  return (
    <>
      <Upload.Dragger
        multiple
        showUploadList={false}
        accept={accept}
        beforeUpload={(file, all) => {
          const adds = all.length === 1 && choice.kind === 'wrong'
          if (file === all[0]) onPick(adds ? [...files.filter(({ name }) => name !== file.name), file] : all)
          return false
        }}
      >
        <IconFileUpload size={26} stroke={1.5} aria-hidden="true" />
        <Text strong above="xs">
          {label}
        </Text>
        <Text size="small" tone="soft">
          {how}
        </Text>
      </Upload.Dragger>
      {files.length > 0 && (
        <Row as="ul" stack size="control" above="m">
          {files.map((file) => (
            <li key={file.name}>
              <bdi dir="ltr">{file.name}</bdi>
            </li>
          ))}
        </Row>
      )}
      <Problem text={files.length > 0 && choice.kind === 'wrong' ? t(choice.reason) : undefined} />
    </>
  )
}

/** Where files are dropped or chosen; what was chosen stands below, to be taken out again. */
import { IconPaperclip, IconX } from '@tabler/icons-react'
import { Progress, Upload } from 'antd'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { QuotaLine } from '@/widgets/form/quota-line'

interface PickedFile {
  readonly key: string
  readonly name: string
  readonly size: number
}

interface Props {
  files: readonly PickedFile[]
  /** How many may be chosen. */
  most: number
  /** 0 to 1 while they are sent. */
  part: number | undefined
  /** Whether they wait for the network. */
  waiting?: boolean
  /** Whether how much room is used stands beneath it. */
  quota?: boolean
  onPick(files: readonly File[]): void
  onRemove(key: string): void
}

export function FilePicker({ files, most, part, waiting = false, quota = true, onPick, onRemove }: Props) {
  const { t } = useTranslation('document')
  const { bytes } = useFormats()
  return (
    <Row stack gap="s">
      <Upload.Dragger
        multiple={most > 1}
        showUploadList={false}
        beforeUpload={(file, all) => {
          if (file === all[0]) onPick(all)
          return false
        }}
      >
        <IconPaperclip size={22} stroke={1.5} aria-hidden="true" />
        <Text>{t(most > 1 ? 'choose-files' : 'choose-file')}</Text>
        <Text size="small" tone="soft">
          {t('file-limits', { count: most })}
        </Text>
      </Upload.Dragger>
      {files.map(({ key, name, size }) => (
        <Row key={key} gap="s" align="center">
          <Text as="span" cut dir="auto">
            {name}
          </Text>
          <Text as="span" size="small" tone="soft">
            {bytes(size)}
          </Text>
          <Text as="span" end>
            <Button
              type="text"
              size="small"
              icon={<IconX size={15} />}
              aria-label={t('take-out', { name })}
              onClick={() => onRemove(key)}
            />
          </Text>
        </Row>
      ))}
      {part !== undefined && <Progress percent={Math.round(part * 100)} aria-label={t('upload')} />}
      {waiting && (
        <Text size="small" tone="soft" role="status">
          {t('upload-waiting')}
        </Text>
      )}
      {quota && <QuotaLine kind="files" />}
    </Row>
  )
}

/** Opens a stored file: its address is asked for when it is pressed, and is good for a minute. */
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { nameOf } from './names'

interface Props {
  file: { readonly path: string; readonly size: number }
  label(name: string): string
  findUrl(): Promise<string>
}

export function DownloadButton({ file, label, findUrl }: Props) {
  const { t } = useTranslation('common')
  const { bytes } = useFormats()
  const errorText = useErrorText()
  const [problem, setProblem] = useState<string>()
  const name = nameOf(file.path)
  const open = async () => {
    try {
      setProblem(undefined)
      location.assign(await findUrl())
    } catch (why) {
      setProblem(why instanceof Error ? errorText(why, t('download')) : undefined)
    }
  }
  return (
    <Row stack gap="xs">
      <Row gap="s" align="center">
        <Button
          type="text"
          size="small"
          icon={<IconDownload size={15} />}
          aria-label={label(name)}
          onClick={() => void open()}
        >
          <span dir="auto">{name}</span>
        </Button>
        <Text as="span" size="small" tone="soft">
          {bytes(file.size)}
        </Text>
      </Row>
      <Problem text={problem} />
    </Row>
  )
}

/** One picture of a tablet: chosen, cropped to its exact size where it has another, and sent at once. */
import { IconPhoto } from '@tabler/icons-react'
import { Button, Spin } from 'antd'
import { useId, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Payload } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { upload } from '@/shared/rpc/upload'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { ACCEPTED, faultOf } from '@/widgets/picture/crop'
import { SIZES } from '@/widgets/tablet/look'
import { CropDialog } from './crop-dialog'
import styles from './tablet.module.css'

interface Props {
  kind: Payload<'/user/uploadPadPicture'>['picture']
  label: string
  url: string
  fault: string | undefined
  onChange(url: string): void
}

export function PictureField({ kind, label, url, fault, onChange }: Props) {
  const { t } = useTranslation('tablet')
  const errorText = useErrorText()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const [wrong, setWrong] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [cropped, setCropped] = useState<{ file: File; picture: ImageBitmap }>()
  const { width, height } = SIZES[kind]
  const problem = wrong ?? fault

  const send = async (file: Blob) => {
    setCropped(undefined)
    setBusy(true)
    try {
      const form = new FormData()
      form.append('picture', kind)
      form.append('file', file, kind)
      onChange((await upload('/user/uploadPadPicture', form)).url)
      setWrong(undefined)
    } catch (error) {
      setWrong(errorText(error, t('upload')))
    } finally {
      setBusy(false)
    }
  }
  const choose = async (files: readonly File[]) => {
    const refused = faultOf(files)
    setWrong(refused && t(`people:${refused as 'select-picture'}`))
    const [file] = files
    if (refused || !file) return
    try {
      const picture = await createImageBitmap(file)
      if (picture.width !== width || picture.height !== height) return setCropped({ file, picture })
      picture.close()
      await send(file)
    } catch {
      setWrong(t('people:fault-picture-broken'))
    }
  }
  return (
    <div>
      <Row gap="m" lines="xs" align="center" wrap={kind === 'homeTile'}>
        <span className={styles.thumb} style={{ aspectRatio: width / height }}>
          {busy ? <Spin size="small" /> : url && <img src={url} alt="" />}
        </span>
        <Row stack gap="xxs" grow>
          <Text as="span">{label}</Text>
          <Text as="span" size="small" tone="soft" id={id}>
            <bdi>{t('size', { width, height })}</bdi>
          </Text>
        </Row>
        <Button
          icon={<IconPhoto size={16} stroke={1.75} />}
          aria-label={`${t(url ? 'change-picture' : 'choose-picture')}: ${label}`}
          aria-describedby={id}
          onClick={() => input.current?.click()}
        >
          {t(url ? 'change-picture' : 'choose-picture')}
        </Button>
      </Row>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        data-picture={label}
        onChange={(event) => {
          void choose([...(event.target.files ?? [])])
          event.target.value = '' // so that the same file can be chosen again
        }}
      />
      <Problem text={problem} />
      {cropped && (
        <CropDialog
          {...{ label, width, height }}
          {...cropped}
          onDone={(file) => void send(file)}
          onClose={() => setCropped(undefined)}
        />
      )}
    </div>
  )
}

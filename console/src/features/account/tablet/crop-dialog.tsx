/** The part of a picture that a place takes, drawn anew in the size of the place. */
import { useEffect, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Modal } from '@/shared/ui/modal'
import { Warning } from '@/widgets/form/field'
import { type Area, LARGEST, middle, type Size } from '@/widgets/picture/crop'
import { Cropper, draw } from '@/widgets/picture/cropper'

const EDGE = 360 // px on the screen, the longer side
const MOVING = ['image/gif', 'image/webp']
const QUALITY = 0.9

interface Props extends Size {
  label: string
  file: File
  picture: ImageBitmap
  onDone(file: Blob): void
  onClose(): void
}

export function CropDialog({ label, file, picture, width, height, onDone, onClose }: Props) {
  const { t } = useTranslation('tablet')
  const [area, setArea] = useState(() => middle(picture, { width, height }))
  const [busy, setBusy] = useState(false)
  useEffect(() => () => picture.close(), [picture])
  const scale = EDGE / Math.max(width, height)
  const take = async () => {
    setBusy(true)
    onDone(await drawn(picture, area, { width, height }))
  }
  return (
    <Modal
      open
      width={460}
      title={t('crop-named', { name: label })}
      okText={t('crop')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy }}
      onOk={() => void take()}
      onCancel={onClose}
    >
      <Cropper
        picture={picture}
        area={area}
        size={{ width: width * scale, height: height * scale }}
        onChange={setArea}
      />
      {MOVING.includes(file.type) && <Warning>{t('first-frame', { width, height })}</Warning>}
      {area.width < width && <Warning>{t('enlarged', { width, height })}</Warning>}
    </Modal>
  )
}

/** Without loss, unless that is larger than what may be sent. */
async function drawn(picture: ImageBitmap, area: Area, { width, height }: Size): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  draw(canvas, picture, area)
  const exact = await canvas.convertToBlob({ type: 'image/png' })
  return exact.size > LARGEST ? canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY }) : exact
}

/** One's own profile picture: a file, the square of it that is shown, and away it goes. */

import { IconPhoto } from '@tabler/icons-react'
import { Button } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { upload } from '@/shared/rpc/upload'
import { rename, useSession } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { QuotaLine } from '@/widgets/form/quota-line'
import { useAction } from '@/widgets/form/use-action'
import { ACCEPTED, type Area, faultOf, middle } from '@/widgets/picture/crop'
import styles from '@/widgets/picture/crop.module.css'
import { Cropper, Drawn, draw } from '@/widgets/picture/cropper'

const SENT_PX = 240 // the server draws its sizes, 60 and 120, from it
const CROPPED = { width: SENT_PX, height: SENT_PX } // px on the screen
const AVATAR = { width: 60, height: 60 }

export function ProfilePicture({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const now = useSession()?.url
  const errorText = useErrorText()
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap>()
  const [area, setArea] = useState<Area>()
  const [fault, setFault] = useState<string>()
  const [busy, setBusy] = useState(false)
  const action = useAction('/user/updateHeadPicture', t('save'))
  useEffect(() => () => picture?.close(), [picture])

  const choose = async (files: readonly File[]) => {
    const wrong = faultOf(files)
    setFault(wrong && t(wrong))
    const [file] = files
    if (wrong || !file) return
    try {
      const read = await createImageBitmap(file)
      setPicture(read)
      setArea(middle(read, AVATAR))
    } catch {
      setFault(t('fault-picture-broken'))
    }
  }
  const send = async () => {
    if (!picture || !area) return setFault(t('select-picture'))
    setBusy(true)
    try {
      const { url } = await sent(picture, area)
      await action.run({ url }, () => {
        rename({ url })
        onClose()
      })
    } catch (error) {
      setFault(errorText(error, t('save')))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('avatar')}
      okText={t('save')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy }}
      onOk={() => void send()}
      onCancel={onClose}
      width={420}
    >
      {picture && area ? (
        <Cropper picture={picture} area={area} size={CROPPED} onChange={setArea}>
          <Drawn picture={picture} area={area} size={AVATAR} round />
        </Cropper>
      ) : (
        now && <img className={styles.drawn} data-round src={now} alt={t('avatar')} width={60} height={60} />
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED}
        onChange={(event) => {
          void choose([...(event.target.files ?? [])])
          event.target.value = '' // so that the same file can be chosen again
        }}
      />
      <Row wrap gap="l" lines="xs" align="center" above="l">
        <Button icon={<IconPhoto size={16} stroke={1.75} />} onClick={() => input.current?.click()}>
          {t('select-picture')}
        </Button>
        <Text as="span" size="small" tone="quiet">
          {t('picture-rules')}
        </Text>
      </Row>
      <QuotaLine kind="pictures" />
      <Problem text={fault ?? action.problem} />
    </Modal>
  )
}

async function sent(picture: ImageBitmap, area: Area): Promise<Answer<'/public/uploadAvatar'>> {
  const canvas = new OffscreenCanvas(SENT_PX, SENT_PX)
  draw(canvas, picture, area)
  const form = new FormData()
  form.append('file', await canvas.convertToBlob({ type: 'image/png' }), 'avatar.png')
  return upload('/public/uploadAvatar', form)
}

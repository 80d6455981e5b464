/** A photo from the camera or the phone's album, with a look at it. */
import { IconCamera, IconTrash } from '@tabler/icons-react'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { shrink } from './photo'
import styles from './spot-check.module.css'

interface Props {
  zone: string
  /** A data URL; empty: none. */
  value: string
  fault: string | undefined
  onChange(photo: string): void
}

export function PhotoField({ zone, value, fault, onChange }: Props) {
  const { t } = useTranslation('spotcheck')
  const input = useRef<HTMLInputElement>(null)
  const [wrong, setWrong] = useState<string>()
  const choose = async (file: File | undefined) => {
    if (!file) return
    const photo = await shrink(file).catch(() => undefined)
    setWrong(photo === undefined ? t('photo-fault') : undefined)
    if (photo !== undefined) onChange(photo)
  }
  return (
    <Row stack gap="s">
      {value && <img className={styles.photo} src={value} alt={t('photo-of', { zone })} />}
      <Row wrap gap="m" align="center">
        <Button icon={<IconCamera size={16} stroke={1.75} />} onClick={() => input.current?.click()}>
          {t(value ? 'replace-photo' : 'add-photo')}
        </Button>
        {value && (
          <Button icon={<IconTrash size={16} stroke={1.75} />} onClick={() => onChange('')}>
            {t('remove-photo')}
          </Button>
        )}
      </Row>
      <Text size="small" tone="soft">
        {t('photo-how')}
      </Text>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('photo')}
        onChange={({ target }) => {
          void choose(target.files?.[0])
          target.value = '' // so that the same file can be chosen again
        }}
      />
      <Problem text={wrong ?? fault} />
    </Row>
  )
}

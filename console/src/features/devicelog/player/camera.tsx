/** What a camera saw at a second of the recording. */
import { Select } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import { Problem } from '@/widgets/form/field'
import { usePlayerAddress } from './address'
import styles from './player.module.css'
import type { PlayerLink } from './player-link'
import { useReading } from './use-reading'

interface Props {
  link: PlayerLink
  id: number
  /** Topics with pictures, one at least. */
  topics: readonly string[]
  second: number
}

export function Camera({ link, id, topics, second }: Props) {
  const { t } = useTranslation('devicelog')
  const { camera, setCamera } = usePlayerAddress()
  const topic = topics.includes(camera) ? camera : (topics[0] ?? '')
  const picture = useReading(link, id, 'picture', { topic, second }, { stays: false })
  return (
    <section aria-label={t('camera')}>
      <Row stack gap="s">
        <Row gap="m" wrap align="center">
          <Text as="span">{t('camera')}</Text>
          {topics.length > 1 ? (
            <Select
              className={styles.topic ?? ''}
              aria-label={t('camera')}
              value={topic}
              options={topics.map((value) => ({ value, label: <bdi dir="ltr">{value}</bdi> }))}
              onChange={setCamera}
            />
          ) : (
            <Text as="span" tone="soft" size="small">
              <bdi dir="ltr">{topic}</bdi>
            </Text>
          )}
        </Row>
        <Problem text={picture.isError ? t('picture-unreadable') : undefined} />
        {picture.data === null && (
          <Text tone="soft" size="small">
            {t('no-picture-yet')}
          </Text>
        )}
        {picture.data && !picture.isError && <Still bitmap={picture.data} label={`${t('camera')} ${topic}`} />}
      </Row>
    </section>
  )
}

function Still({ bitmap, label }: { bitmap: ImageBitmap; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    element.width = bitmap.width
    element.height = bitmap.height
    element.getContext('2d')?.drawImage(bitmap, 0, 0)
  }, [bitmap])
  return <canvas ref={canvas} className={styles.picture} role="img" aria-label={label} />
}

/** The picture or video itself: small in lists, large in a dialog. Its address opens for a minute only. */

import { IconMovie } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Modal } from '@/shared/ui/modal'
import { Nothing } from '@/shared/ui/query-view'
import styles from './advert.module.css'
import { isVideo } from './files'
import type { Row } from './form'

interface SmallProps {
  row: Row
  onOpen(): void
}

/** Keeps the address that it began with, so that a list read anew loads no picture twice. */
export function Small({ row, onOpen }: SmallProps) {
  const { t } = useTranslation('advert')
  const [url, setUrl] = useState(row.url)
  return (
    <button
      type="button"
      className={styles.small}
      aria-label={`${t('preview')}: ${row.name}`}
      title={t('preview')}
      onClick={onOpen}
    >
      {isVideo(row.kind) ? (
        <IconMovie size={22} stroke={1.5} aria-hidden="true" />
      ) : (
        <img src={url} alt="" loading="lazy" onError={() => setUrl(row.url)} />
      )}
    </button>
  )
}

interface LargeProps {
  url: string
  kind: string
  name: string
  onFail?(): void
}

export function Large({ url, kind, name, onFail }: LargeProps) {
  const failed = onFail && { onError: onFail }
  return isVideo(kind) ? (
    <video className={styles.large} src={url} aria-label={name} controls preload="metadata" {...failed} />
  ) : (
    <img className={styles.large} src={url} alt={name} {...failed} />
  )
}

interface Props {
  row: Row
  /** Reads the list again, so that `row` has an address that opens. */
  onRefresh(): Promise<unknown>
  onClose(): void
}

export function Preview({ row, onRefresh, onClose }: Props) {
  const { t } = useTranslation('advert')
  const [url, setUrl] = useState<string | undefined>(row.url)
  const again = async () => {
    await onRefresh()
    setUrl(undefined)
  }
  const [failed, setFailed] = useState<string>()
  const now = url ?? row.url
  return (
    <Modal open width={760} title={<bdi>{row.name}</bdi>} footer={null} onCancel={onClose}>
      {failed === now ? (
        <Nothing
          role="alert"
          why={t('load-failed')}
          action={<Button onClick={() => void again()}>{t('retry')}</Button>}
        />
      ) : (
        <Large url={now} kind={row.kind} name={row.name} onFail={() => setFailed(now)} />
      )}
    </Modal>
  )
}

/** A password that the server tells once. It closes by its button only, so that no stray click loses it. */
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './people.module.css'

interface Props {
  account: string
  name: string
  password: string
  onClose(): void
}

export function FirstPassword({ account, name, password, onClose }: Props) {
  const { t } = useTranslation('people')
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(password)
    setCopied(true)
  }
  const Mark = copied ? IconCheck : IconCopy
  return (
    <Modal
      open
      title={t('initial-password-of', { name })}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <p className={styles.says}>{t('password-once')}</p>
      <dl className={styles.once}>
        <dt>{t('login-name')}</dt>
        <dd>
          <bdi dir="ltr">{account}</bdi>
        </dd>
        <dt>{t('initial-password')}</dt>
        <dd>
          <bdi dir="ltr" data-password>
            {password}
          </bdi>
          {/* Browsers give a clipboard to secure origins only; elsewhere the text is marked by hand. */}
          {navigator.clipboard && (
            <Button size="small" icon={<Mark size={15} stroke={1.75} />} onClick={() => void copy()}>
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </dd>
      </dl>
    </Modal>
  )
}

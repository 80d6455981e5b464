/** What the server tells once: it closes by its button only, so that no stray click loses it. */

import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Fact, Facts } from '@/shared/ui/facts'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import styles from './person.module.css'

interface Props {
  title: string
  how: string
  /** Beside the secret: its label and what it belongs to. */
  entries: readonly (readonly [string, ReactNode])[]
  label: string
  secret: string
  onClose(): void
}

export function Once({ title, how, entries, label, secret, onClose }: Props) {
  const { t } = useTranslation('people')
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
  const Mark = copied ? IconCheck : IconCopy
  return (
    <Modal
      open
      title={title}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <Text tone="quiet" below="m">
        {how}
      </Text>
      <Facts className={styles.once}>
        {entries.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
        <Fact name={label}>
          <bdi dir="ltr" data-password>
            {secret}
          </bdi>
          {/* Browsers give a clipboard to secure origins only; elsewhere the text is marked by hand. */}
          {navigator.clipboard && (
            <Button size="small" icon={<Mark size={15} stroke={1.75} />} onClick={() => void copy()}>
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </Fact>
      </Facts>
    </Modal>
  )
}

/** An address for a screen that nobody logs in at: a key that can read this page and nothing else. */
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { LIMITS } from '@/shared/rpc/limits'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import styles from './big-screen.module.css'
import { addressOf, KEY } from './wall-session'

const DAYS = [30, 90, 180, 366] as const // the server's longest is the last

export function LinkDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('wall')
  const { date } = useFormats()
  const [name, setName] = useState('')
  const [days, setDays] = useState<number>(366)
  const [tried, setTried] = useState(false)
  const [key, setKey] = useState<Answer<'/user/apiKey/insert'>>()
  const [copied, setCopied] = useState(false)
  const action = useAction('/user/apiKey/insert', t('create-link'), ['name'])
  const create = () => {
    setTried(true)
    if (name.trim()) action.run({ name: name.trim(), days, keys: [KEY] }, setKey)
  }
  const copy = async (address: string) => {
    await navigator.clipboard.writeText(address)
    setCopied(true)
  }
  if (key) {
    const address = addressOf(key.secret)
    return (
      <Modal
        open
        title={t('wall-link')}
        mask={{ closable: false }}
        onCancel={onClose}
        footer={
          <>
            {/* Browsers give a clipboard to secure origins only; elsewhere the text is marked by hand. */}
            {navigator.clipboard && <Button onClick={() => void copy(address)}>{t(copied ? 'copied' : 'copy')}</Button>}
            <Button type="primary" onClick={onClose}>
              {t('common:close')}
            </Button>
          </>
        }
      >
        <Text tone="quiet" below="m">
          {t('link-once', { date: date(Date.parse(key.expireTime)) })}
        </Text>
        <bdi dir="ltr" className={styles.address} data-address>
          {address}
        </bdi>
      </Modal>
    )
  }
  return (
    <Modal
      open
      title={t('wall-link')}
      okText={t('create-link')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={create}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('link-how')}
      </Text>
      <Field label={t('link-name')} fault={tried && !name.trim() ? t('fault-name') : action.problemAt('name')}>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={LIMITS['/user/apiKey/insert'].name.maxLength}
        />
      </Field>
      <Field label={t('valid-for')}>
        <Select
          value={days}
          onChange={setDays}
          aria-label={t('valid-for')}
          options={DAYS.map((count) => ({ value: count, label: t('count-days', { count }) }))}
        />
      </Field>
      <Problem text={action.problem} />
    </Modal>
  )
}

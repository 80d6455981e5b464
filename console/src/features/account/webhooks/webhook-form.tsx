/** What is entered of a webhook: its address, what it is for, and the kinds of changes that it is sent. */

import { Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { type ChangeKind, KINDS } from './kinds'
import type { Secret, WebhookRow } from './rows'

interface Props {
  /** Undefined: a new one. */
  row: WebhookRow | undefined
  onClose(): void
  onSecret(secret: Secret): void
}

const ADDRESS = /^https?:\/\/[^/@\s]+/
const LIMIT = LIMITS['/webhook/insert']

export function WebhookForm({ row, onClose, onSecret }: Props) {
  const { t } = useTranslation('webhook')
  const [url, setUrl] = useState(row?.url ?? '')
  const [description, setDescription] = useState(row?.description ?? '')
  const [kinds, setKinds] = useState((row?.kinds ?? []) as ChangeKind[])
  const [tried, setTried] = useState(false)
  const title = t(row ? 'edit-webhook' : 'add-webhook')
  const add = useAction('/webhook/insert', title, ['url'])
  const change = useAction('/webhook/update', title, ['url'])
  const good = ADDRESS.test(url.trim())
  const send = () => {
    setTried(true)
    if (!good) return
    const fields = { url: url.trim(), description: description.trim(), kinds }
    if (row) change.run({ id: row.id, ...fields }, onClose)
    else add.run(fields, onSecret)
  }
  const fault = tried && !good ? t('fault-address') : (add.problemAt('url') ?? change.problemAt('url'))
  return (
    <Modal
      open
      title={title}
      width={640}
      okText={t(row ? 'save' : 'add')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: add.busy || change.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <Field label={t('url')} hint={t('address-how')} fault={fault}>
        <Input
          autoFocus
          dir="ltr"
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          maxLength={LIMIT.url.maxLength}
        />
      </Field>
      <Field label={t('description')}>
        <Input
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          maxLength={LIMIT.description.maxLength}
        />
      </Field>
      <Field label={t('kinds')}>
        <Select
          mode="multiple"
          allowClear
          value={kinds}
          onChange={setKinds}
          placeholder={t('all-kinds')}
          aria-label={t('kinds')}
          optionFilterProp="label"
          options={Object.entries(KINDS).map(([value, key]) => ({ value: value as ChangeKind, label: t(key) }))}
        />
      </Field>
      <Problem text={add.problem ?? change.problem} />
    </Modal>
  )
}

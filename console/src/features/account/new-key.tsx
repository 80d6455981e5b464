/** A new key: its name, how long it lives, and which of one's own permissions it has; the secret is shown once. */

import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { KeyFields } from '@/widgets/person/key-fields'
import { KeyPicker } from '@/widgets/person/key-picker'
import { Once } from '@/widgets/person/once'
import { usePasswordAgain } from '@/widgets/person/own-password'

export function NewKey({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const { date } = useFormats()
  const [name, setName] = useState('')
  const [days, setDays] = useState<number>(90)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [tried, setTried] = useState(false)
  const [key, setKey] = useState<Answer<'/user/apiKey/insert'>>()
  const action = useAction('/user/apiKey/insert', t('add-api-key'), ['name', 'password'])
  const again = usePasswordAgain(action, () => send())
  if (key)
    return (
      <Once
        title={t('api-key')}
        how={t('key-once')}
        entries={[
          [t('name'), <span key="name">{name.trim()}</span>],
          [t('expires'), date(Date.parse(key.expireTime))],
        ]}
        label={t('api-key')}
        secret={key.secret}
        onClose={onClose}
      />
    )
  const send = () => {
    setTried(true)
    if (!name.trim() || ticked.size === 0) return
    action.run({ name: name.trim(), days, keys: [...ticked], ...again.payload }, setKey)
  }
  return (
    <Modal
      open
      title={t('add-api-key')}
      width={720}
      okText={t('add')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('api-key-how')}
      </Text>
      <KeyFields
        label={t('name')}
        name={name}
        onName={setName}
        fault={tried && !name.trim() ? t('fault-name') : action.problemAt('name')}
        days={days}
        onDays={setDays}
      />
      {again.field}
      <KeyPicker ticked={ticked} onChange={setTicked} />
      <Problem text={tried && ticked.size === 0 ? t('fault-keys') : action.problem} />
    </Modal>
  )
}

/** An address for a screen that nobody logs in at: a key that can read this page and nothing else. */
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { KeyFields, LONGEST_DAYS } from '@/widgets/person/key-fields'
import { Once } from '@/widgets/person/once'
import { addressOf, KEY } from './wall-session'

export function LinkDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('wall')
  const { date } = useFormats()
  const [name, setName] = useState('')
  const [days, setDays] = useState<number>(LONGEST_DAYS)
  const [tried, setTried] = useState(false)
  const [key, setKey] = useState<Answer<'/user/apiKey/insert'>>()
  const action = useAction('/user/apiKey/insert', t('create-link'), ['name'])
  const create = () => {
    setTried(true)
    if (name.trim()) action.run({ name: name.trim(), days, keys: [KEY] }, setKey)
  }
  if (key)
    return (
      <Once
        title={t('wall-link')}
        how={t('link-once', { date: date(Date.parse(key.expireTime)) })}
        entries={[[t('link-name'), <bdi key="name">{name.trim()}</bdi>]]}
        label={t('common:address')}
        secret={addressOf(key.secret)}
        onClose={onClose}
      />
    )
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
      <KeyFields
        label={t('link-name')}
        name={name}
        onName={setName}
        fault={tried && !name.trim() ? t('fault-name') : action.problemAt('name')}
        days={days}
        onDays={setDays}
      />
      <Problem text={action.problem} />
    </Modal>
  )
}

/** Keys for programs: one's own list, and the way to a new one. */

import { Button, Popconfirm } from 'antd'
import { useState } from 'react'
import { textOr, useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import { NewKey } from './new-key'

type KeyRow = Answer<'/user/apiKey/list'>['list'][number]

const COLUMNS: readonly Column<KeyRow>[] = [
  { key: 'name', label: 'name', heading: true },
  {
    key: 'keys',
    label: 'permission',
    value: ({ keys }) => keys.length,
    cell: ({ keys }, { t }) => (
      <span title={keys.map((key) => textOr(t, `permission:key.${key}`, key)).join(' · ')}>
        {t('count-keys', { count: keys.length })}
      </span>
    ),
  },
  { key: 'createTime', label: 'created', cell: (row, { date }) => date(Date.parse(row.createTime)) },
  { key: 'expireTime', label: 'expires', cell: (row, { date }) => date(Date.parse(row.expireTime)) },
  {
    key: 'lastTime',
    label: 'last-used',
    cell: ({ lastTime }, { t, dateTime }) => (lastTime ? dateTime(Date.parse(lastTime)) : t('never-used')),
  },
]

export function ApiKeys({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('people')
  const keys = useCall('/user/apiKey/list', {}, { staleTime: 0 })
  const [adding, setAdding] = useState(false)
  if (adding) return <NewKey onClose={() => setAdding(false)} />
  return (
    <Modal
      open
      title={t('shell:api-keys')}
      width={760}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button type="primary" onClick={() => setAdding(true)}>
            {t('add-api-key')}
          </Button>
        </>
      }
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('api-key-how')}
      </Text>
      <ShortList
        texts="people"
        label={t('shell:api-keys')}
        columns={COLUMNS}
        query={keys}
        idOf={({ id }) => id}
        empty={<p>{t('no-api-keys')}</p>}
        actions={(row) => <Revoke row={row} />}
      />
    </Modal>
  )
}

function Revoke({ row }: { row: KeyRow }) {
  const { t } = useTranslation('people')
  const action = useAction('/user/apiKey/delete', t('revoke'))
  return (
    <>
      <Popconfirm
        title={t('revoke-named', { name: row.name })}
        description={t('revoke-how')}
        okText={t('revoke')}
        okButtonProps={{ danger: true }}
        cancelText={t('cancel')}
        onConfirm={() => action.run({ keyId: row.id }, () => undefined)}
      >
        <Button size="small" loading={action.busy} aria-label={`${t('revoke')}: ${row.name}`}>
          {t('revoke')}
        </Button>
      </Popconfirm>
      <Problem text={action.problem} />
    </>
  )
}

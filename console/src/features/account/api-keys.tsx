/** Keys for programs: one's own list, and the way to a new one. */

import { Button, Modal, Popconfirm } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { PlainTable } from '@/shared/ui/table'
import { Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { NewKey } from './new-key'

type KeyRow = Answer<'/user/apiKey/list'>['list'][number]

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
      <QueryView query={keys} isEmpty={({ list }) => list.length === 0} empty={<p>{t('no-api-keys')}</p>}>
        {({ list }) => (
          <PlainTable>
            <thead>
              <tr>
                <th>{t('name')}</th>
                <th>{t('permission')}</th>
                <th>{t('created')}</th>
                <th>{t('expires')}</th>
                <th>{t('last-used')}</th>
                <th data-actions>
                  <span className="unseen">{t('revoke')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.map((row) => (
                <Line key={row.id} row={row} />
              ))}
            </tbody>
          </PlainTable>
        )}
      </QueryView>
    </Modal>
  )
}

function Line({ row }: { row: KeyRow }) {
  const { t } = useTranslation('people')
  const { date, dateTime } = useFormats()
  const action = useAction('/user/apiKey/delete', t('revoke'))
  const keyed = row.keys.map((key) => t(`permission:key.${key}`)).join(' · ')
  return (
    <tr>
      <th scope="row" data-cut>
        <bdi>{row.name}</bdi>
      </th>
      <td title={keyed}>{t('count-keys', { count: row.keys.length })}</td>
      <td data-soft>{date(Date.parse(row.createTime))}</td>
      <td data-soft>{date(Date.parse(row.expireTime))}</td>
      <td data-soft>{row.lastTime ? dateTime(Date.parse(row.lastTime)) : t('never-used')}</td>
      <td data-actions>
        <Popconfirm
          title={t('revoke-named', { name: row.name })}
          description={t('revoke-how')}
          okText={t('revoke')}
          okButtonProps={{ danger: true }}
          cancelText={t('back')}
          onConfirm={() => action.run({ keyId: row.id }, () => undefined)}
        >
          <Button size="small" loading={action.busy} aria-label={`${t('revoke')}: ${row.name}`}>
            {t('revoke')}
          </Button>
        </Popconfirm>
        <Problem text={action.problem} />
      </td>
    </tr>
  )
}

/** /file/host: file servers. */
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import type { RegistryField } from './entry-dialog'
import { EntryDialogs, type EntryRequest, type Kind } from './entry-dialogs'
import { Ledger } from './ledger'
import styles from './registry.module.css'
import { address, named } from './rules'

type ServerRow = Answer<'/host/list'>['list'][number]

const SERVERS: Kind<ServerRow> = {
  insert: '/host/add',
  update: '/host/edit',
  remove: '/host/del',
  id: 'id',
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
}

const NEW = { name: '', url: '', flag: 1 }

export function ServersScreen() {
  const { t } = useTranslation('registry')
  const query = useCall('/host/list')
  const [request, ask] = useState<EntryRequest<ServerRow>>()
  const entries: RegistryField[] = useMemo(
    () => [
      { name: 'name', label: 'name', rule: named },
      { name: 'url', label: 'address', hint: 'address-how', ltr: true, longest: 200, rule: address },
      {
        ...{ name: 'flag', label: 'use', kind: 'choice' as const },
        options: [1, 0].map((value) => ({ value, label: t(`use-${value}`) })),
      },
    ],
    [t],
  )
  const add = <AddButton onClick={() => ask('new')}>{t('add-server')}</AddButton>
  return (
    <Page>
      <div className={styles.bar}>
        <div className={styles.rest}>{add}</div>
      </div>
      <Ledger
        label={t('server')}
        columns={['name', 'address', 'use']}
        query={query}
        kind={SERVERS}
        none={<Nothing why={t('no-servers')} action={add} />}
        cells={(server) => [
          <bdi key="url" dir="ltr">
            {server.url}
          </bdi>,
          t(`use-${server.flag}`),
        ]}
        onAsk={ask}
      />
      <EntryDialogs
        kind={SERVERS}
        request={request}
        title={t('add-server')}
        entries={entries}
        start={NEW}
        query={query}
        onClose={() => ask(undefined)}
      />
    </Page>
  )
}

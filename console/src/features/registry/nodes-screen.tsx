/** /device/index/hostManage: transfer nodes, and how each is right now. */
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { FIRST_PORT, LAST_PORT } from '@/shared/rpc/places'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { useCountry } from '@/widgets/country'
import { AddButton } from '@/widgets/list/add-button'
import { useFilters } from '@/widgets/list/use-filters'
import type { RegistryField } from './entry-dialog'
import { EntryDialogs, type EntryRequest, type Kind } from './entry-dialogs'
import { Ledger, SearchBar } from './ledger'
import { type NodeRow, NodeState } from './node-state'
import styles from './registry.module.css'
import { address, lastPort, named, port } from './rules'

const NODES: Kind<NodeRow> = {
  insert: '/wmDeviceHostInfo/add',
  update: '/wmDeviceHostInfo/edit',
  remove: '/wmDeviceHostInfo/deleteById',
  id: 'id',
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
}

const FRESH_MS = 5_000 // relays say as often that they are there
const MOST = 1_000
const COLUMNS = ['name', 'address', 'state', 'tunnels', 'robot', 'country', 'region', 'supports', 'ports']
const NEW = { name: '', url: '', country: '', region: '', supportType: 0, flag: 0 }

/** The fields; what they may be is the server's to say. */
function useEntries(): RegistryField[] {
  const { t } = useTranslation('registry')
  const country = useCountry()
  const places = useCall('/wmDeviceHostInfo/places', undefined, { staleTime: Number.POSITIVE_INFINITY }).data
  return useMemo(() => {
    const none = { value: '', label: '—' }
    return [
      { name: 'name', label: 'name', rule: named },
      { name: 'url', label: 'address', hint: 'address-how', ltr: true, longest: 200, rule: address },
      {
        ...{ name: 'country', label: 'country', kind: 'choice' as const },
        options: [none, ...(places?.countries ?? []).map((value) => ({ value, label: country(value) }))],
      },
      {
        ...{ name: 'region', label: 'region', kind: 'choice' as const },
        options: [none, ...(places?.regions ?? []).map((value) => ({ value, label: t(`region-${value}`) }))],
      },
      {
        ...{ name: 'supportType', label: 'supports', kind: 'choice' as const },
        options: [0, 3, 2].map((value) => ({ value, label: t(`support-${value}`) })),
      },
      {
        ...{ name: 'flag', label: 'frp', kind: 'choice' as const, hint: 'frp-how' },
        options: [0, 1].map((value) => ({ value, label: t(`frp-${value}`) })),
      },
      { name: 'sshPort', label: 'ssh-port', kind: 'number', rule: port },
      { name: 'webPort', label: 'web-port', kind: 'number', rule: port },
      { name: 'frpPort', label: 'frp-port', kind: 'number', rule: (value, all) => port(value ?? 0, all) },
      { name: 'frpPortEnd', label: 'frp-port-end', kind: 'number', rule: (value, all) => lastPort(value ?? 0, all) },
    ]
  }, [t, country, places])
}

export function NodesScreen() {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const country = useCountry()
  const { filters, change, narrowed } = useFilters(['text'])
  const payload = { currentPage: 1, pageSize: MOST, ...(narrowed && { name: filters.text }) }
  const query = useCall('/wmDeviceHostInfo/queryByPage', payload, { keep: true, refetchInterval: FRESH_MS })
  const [request, ask] = useState<EntryRequest<NodeRow>>()
  const entries = useEntries()
  const add = <AddButton onClick={() => ask('new')}>{t('add-node')}</AddButton>
  return (
    <Page>
      <SearchBar text={filters.text} hint={t('search-nodes')} onSearch={(text) => change({ text })}>
        {add}
      </SearchBar>
      <Ledger
        label={t('transfer-node')}
        columns={COLUMNS}
        query={query}
        kind={NODES}
        filtered={narrowed}
        none={<Nothing why={t('no-nodes')} action={add} />}
        cells={(node) => [
          <bdi key="url" dir="ltr">
            {node.url}
          </bdi>,
          <NodeState key="state" row={node} />,
          number(node.tunnels),
          number(node.robots),
          node.country ? country(node.country) : '',
          node.region ? t(`region-${node.region}`) : '',
          <span key="support">
            {t(`support-${node.supportType}`)} {node.flag === 1 && <em className={styles.tag}>frp</em>}
          </span>,
          <bdi key="ports" dir="ltr">{`${node.frpPort}–${node.frpPortEnd}`}</bdi>,
        ]}
        onAsk={ask}
      />
      <EntryDialogs
        kind={NODES}
        request={request}
        title={t('add-node')}
        entries={entries}
        start={{ ...NEW, sshPort: null, webPort: null, frpPort: FIRST_PORT, frpPortEnd: LAST_PORT }}
        query={query}
        onClose={() => ask(undefined)}
      />
    </Page>
  )
}

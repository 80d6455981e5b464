/** /device/index/hostManage: transfer nodes, and how each is right now. */

import { textOr, useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { useCall } from '@/shared/rpc/hooks'
import { FIRST_PORT, LAST_PORT } from '@/shared/rpc/places'
import { Page } from '@/shared/ui/panel'
import { useCountry } from '@/widgets/country'
import { filters, useFilters, words } from '@/widgets/list/filters'
import { Search } from '@/widgets/list/search'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { NodeState } from './node-state'
import { address, lastPort, port, required } from './rules'

const FRESH_MS = 5_000 // a relay that says nothing for some seconds is away
const MOST = 1_000
const NODES = filters({ text: words((name) => ({ name })) })

/** Of a country by its code, in the user's language. */
function Country({ code }: { code: string }) {
  const country = useCountry()
  return code ? country(code) : null
}

/** What the fields may be is the server's to say. */
function useOptions() {
  const { t } = useTranslation('registry')
  const country = useCountry()
  const places = useCall('/wmDeviceHostInfo/places', undefined, { staleTime: Number.POSITIVE_INFINITY }).data
  const none = { value: '', label: '—' }
  return {
    country: [none, ...(places?.countries ?? []).map((value) => ({ value, label: country(value) }))],
    region: [none, ...(places?.regions ?? []).map((value) => ({ value, label: textOr(t, `region-${value}`, value) }))],
  }
}

const NODE = resource({
  name: 'node',
  texts: 'registry',
  label: 'transfer-node',
  add: 'add-node',
  empty: 'no-nodes',
  list: '/wmDeviceHostInfo/queryByPage',
  insert: '/wmDeviceHostInfo/add',
  update: '/wmDeviceHostInfo/edit',
  remove: '/wmDeviceHostInfo/deleteById',
  id: 'id',
  key: 'id',
  title: 'name',
  columns: [
    { key: 'name', label: 'name', heading: true },
    { key: 'url', label: 'address', ltr: true },
    { key: 'state', label: 'state', cell: (row) => <NodeState row={row} /> },
    { key: 'tunnels', label: 'tunnels' },
    { key: 'robots', label: 'robots' },
    { key: 'country', label: 'country', cell: (row) => <Country code={row.country} /> },
    { key: 'region', label: 'region', value: ({ region }, { t }) => region && textOr(t, `region-${region}`, region) },
    {
      key: 'supports',
      label: 'supports',
      value: ({ supportType }, { t }) => textOr(t, `support-${supportType}`, String(supportType)),
      cell: ({ supportType, flag }, { t }) => (
        <>
          {textOr(t, `support-${supportType}`, String(supportType))} {flag === 1 && <Tag>frp</Tag>}
        </>
      ),
    },
    { key: 'ports', label: 'ports', ltr: true, value: ({ frpPort, frpPortEnd }) => `${frpPort}–${frpPortEnd}` },
  ],
  fields: [
    { name: 'name', label: 'name', rule: required },
    { name: 'url', label: 'address', hint: 'address-how', ltr: true, rule: address },
    { name: 'country', label: 'country', kind: 'choice' },
    { name: 'region', label: 'region', kind: 'choice' },
    {
      name: 'supportType',
      label: 'supports',
      kind: 'choice',
      choices: [
        [0, 'support-0'],
        [3, 'support-3'],
        [2, 'support-2'],
      ],
    },
    {
      name: 'flag',
      label: 'frp',
      kind: 'choice',
      hint: 'frp-how',
      choices: [
        [0, 'frp-0'],
        [1, 'frp-1'],
      ],
    },
    { name: 'sshPort', label: 'ssh-port', kind: 'number', rule: port },
    { name: 'webPort', label: 'web-port', kind: 'number', rule: port },
    { name: 'frpPort', label: 'frp-port', kind: 'number', rule: (value, all) => port(value ?? 0, all) },
    { name: 'frpPortEnd', label: 'frp-port-end', kind: 'number', rule: (value, all) => lastPort(value ?? 0, all) },
  ],
  start: {
    ...{ name: '', url: '', country: '', region: '', supportType: 0, flag: 0 },
    ...{ sshPort: null, webPort: null, frpPort: FIRST_PORT, frpPortEnd: LAST_PORT },
  },
  useOptions,
})

export function NodesScreen() {
  const { t } = useTranslation('registry')
  const { values, payload, narrowed, change, reset } = useFilters(NODES)
  return (
    <Page>
      <ResourceScreen
        of={NODE}
        goodMs={FRESH_MS}
        payload={{ currentPage: 1, pageSize: MOST, ...payload }}
        narrowed={narrowed}
        onReset={reset}
        search={<Search text={values.text} hint={t('search-nodes')} onSearch={(text) => change({ text })} />}
      />
    </Page>
  )
}

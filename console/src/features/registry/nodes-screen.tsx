/** /device/index/hostManage: transfer nodes, and how each is right now. */
import { IconPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useCall } from '@/shared/rpc/hooks'
import { FIRST_PORT, LAST_PORT } from '@/shared/rpc/places'
import { Page } from '@/shared/ui/panel'
import { Nothing, Shown } from '@/shared/ui/shown'
import { useCountry } from '@/widgets/country'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog } from './entry-dialog'
import { DeleteDialog, Ledger, SearchBar } from './ledger'
import { type NodeRow, NodeState } from './node-state'
import styles from './registry.module.css'
import { address, lastPort, named, port, type Values } from './rules'

const FRESH_MS = 5_000 // relays say as often that they are there
const MOST = 1_000
const COLUMNS = ['name', 'address', 'state', 'tunnels', 'robot', 'country', 'region', 'supports', 'ports']
const FIELDS = [
  'name',
  'url',
  'country',
  'region',
  'supportType',
  'flag',
  'sshPort',
  'webPort',
  'frpPort',
  'frpPortEnd',
]
const NEW = { name: '', url: '', country: '', region: '', supportType: 0, flag: 0 }

/** The fields; what they may be is the server's to say. */
function useEntries(): Entry[] {
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
  const [params, setParams] = useSearchParams()
  const text = params.get('text') ?? ''
  const asked = { currentPage: 1, pageSize: MOST, ...(text && { name: text }) }
  const query = useCall('/wmDeviceHostInfo/queryByPage', asked, { keep: true, refetchInterval: FRESH_MS })
  const [open, setOpen] = useState<number | 'new'>()
  const [leaving, setLeaving] = useState<NodeRow>()
  const entries = useEntries()
  const make = useDeed('/wmDeviceHostInfo/add', t('add'), FIELDS)
  const change = useDeed('/wmDeviceHostInfo/edit', t('save'), FIELDS)
  const remove = useDeed('/wmDeviceHostInfo/deleteById', t('delete'), [])
  const row = query.data?.list.find(({ id }) => id === open)
  const close = () => {
    make.reset()
    change.reset()
    setOpen(undefined)
  }
  const send = (values: Values, updateTime: string | undefined) => {
    const told = values as unknown as Parameters<typeof make.run>[0]
    if (open === 'new') make.run(told, close)
    else if (open !== undefined) change.run({ ...told, id: open, ...(updateTime && { updateTime }) }, close)
  }
  const add = (
    <Button type="primary" icon={<IconPlus size={17} stroke={2} />} onClick={() => setOpen('new')}>
      {t('add-node')}
    </Button>
  )
  return (
    <Page>
      <SearchBar
        text={text}
        hint={t('search-nodes')}
        onSearch={(next) => setParams(next ? { text: next } : {}, { replace: true })}
      >
        {add}
      </SearchBar>
      <Shown
        query={query}
        isEmpty={({ list }) => list.length === 0}
        filtered={text !== ''}
        empty={<Nothing why={t('no-nodes')} action={add} />}
      >
        {({ list }) => (
          <Ledger
            label={t('transfer-node')}
            columns={COLUMNS}
            rows={list}
            nameOf={(node) => node.name}
            idOf={(node) => node.id}
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
            onEdit={(node) => setOpen(node.id)}
            onDelete={(node) => setLeaving(node)}
          />
        )}
      </Shown>
      {(open === 'new' || row) && (
        <EntryDialog
          title={row ? t('edit-named', { name: row.name }) : t('add-node')}
          entries={entries}
          row={row}
          start={{ ...NEW, sshPort: null, webPort: null, frpPort: FIRST_PORT, frpPortEnd: LAST_PORT }}
          deed={open === 'new' ? make : change}
          onSend={send}
          onRefresh={query.refetch}
          onClose={close}
        />
      )}
      {leaving && (
        <DeleteDialog
          name={leaving.name}
          busy={remove.busy}
          problem={remove.problem}
          onDelete={() => remove.run({ id: leaving.id }, () => setLeaving(undefined))}
          onClose={() => {
            remove.reset()
            setLeaving(undefined)
          }}
        />
      )}
    </Page>
  )
}

/** /file/host: file servers. */
import { IconPlus } from '@tabler/icons-react'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing, Shown } from '@/shared/ui/shown'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog } from './entry-dialog'
import { DeleteDialog, Ledger } from './ledger'
import styles from './registry.module.css'
import { address, named, type Values } from './rules'

type ServerRow = Answer<'/host/list'>['list'][number]

const FIELDS = ['name', 'url', 'flag']
const NEW = { name: '', url: '', flag: 1 }

export function ServersScreen() {
  const { t } = useTranslation('registry')
  const query = useCall('/host/list')
  const [open, setOpen] = useState<number | 'new'>()
  const [leaving, setLeaving] = useState<ServerRow>()
  const make = useDeed('/host/add', t('add'), FIELDS)
  const change = useDeed('/host/edit', t('save'), FIELDS)
  const remove = useDeed('/host/del', t('delete'), [])
  const entries: Entry[] = useMemo(
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
      {t('add-server')}
    </Button>
  )
  return (
    <Page>
      <div className={styles.bar}>
        <div className={styles.rest}>{add}</div>
      </div>
      <Shown
        query={query}
        isEmpty={({ list }) => list.length === 0}
        empty={<Nothing why={t('no-servers')} action={add} />}
      >
        {({ list }) => (
          <Ledger
            label={t('server')}
            columns={['name', 'address', 'use']}
            rows={list}
            nameOf={(server) => server.name}
            idOf={(server) => server.id}
            cells={(server) => [
              <bdi key="url" dir="ltr">
                {server.url}
              </bdi>,
              t(`use-${server.flag}`),
            ]}
            onEdit={(server) => setOpen(server.id)}
            onDelete={(server) => setLeaving(server)}
          />
        )}
      </Shown>
      {(open === 'new' || row) && (
        <EntryDialog
          title={row ? t('edit-named', { name: row.name }) : t('add-server')}
          entries={entries}
          row={row}
          start={NEW}
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

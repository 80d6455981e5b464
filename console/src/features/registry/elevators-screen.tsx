/** /elevator/index: the elevators that robots ride. */
import { IconPlus } from '@tabler/icons-react'
import { Button, Pagination } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { PROVIDERS } from '@/shared/rpc/places'
import { Page } from '@/shared/ui/panel'
import { Nothing, Shown } from '@/shared/ui/shown'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog } from './entry-dialog'
import { DeleteDialog, Ledger, SearchBar } from './ledger'
import { addressOrNone, floors, floorsOf, named, phone, type Values } from './rules'

type ElevatorRow = Answer<'/elevator/list'>['list'][number]

const PAGE = 50
const COLUMNS = ['name', 'code', 'building', 'floor', 'elevator-provider', 'contact', 'owner', 'robot']
const NEW = {
  ...{ elevatorName: '', code: '', buildingName: '', buildingAddress: '', contactName: '', contactPhone: '' },
  ...{ groupId: null, size: '', floor: '', position: '', provider: 0, moduleId: '', robotId: '', server: '' },
}

function useEntries(): Entry[] {
  const { t } = useTranslation('registry')
  return useMemo(
    () => [
      { name: 'elevatorName', label: 'name', rule: named },
      { name: 'code', label: 'code', ltr: true },
      { name: 'buildingName', label: 'building', rule: named },
      { name: 'buildingAddress', label: 'building-address', longest: 300 },
      { name: 'floor', label: 'floor', hint: 'floors-how', wide: true, longest: 1000, rule: floors },
      { name: 'contactName', label: 'contact' },
      { name: 'contactPhone', label: 'phone', ltr: true, longest: 11, rule: phone },
      { name: 'position', label: 'position' },
      { name: 'size', label: 'cabin-size' },
      {
        ...{ name: 'provider', label: 'elevator-provider', kind: 'choice' as const },
        options: PROVIDERS.map((name, value) => ({ value, label: name || t('provider-virtual') })),
      },
      { name: 'groupId', label: 'elevator-group', hint: 'elevator-group-how', kind: 'number' },
      { name: 'moduleId', label: 'elevator-module', ltr: true },
      { name: 'robotId', label: 'robot-id', ltr: true },
      { name: 'server', label: 'server', ltr: true, wide: true, longest: 200, rule: addressOrNone },
    ],
    [t],
  )
}

export function ElevatorsScreen() {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const [params, setParams] = useSearchParams()
  const text = params.get('text') ?? ''
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1)
  const asked = { currentPage: page, pageSize: PAGE, ...(text && { keyword: text }) }
  const query = useCall('/elevator/list', asked, { keep: true })
  const [open, setOpen] = useState<number | 'new'>()
  const [leaving, setLeaving] = useState<ElevatorRow>()
  const entries = useEntries()
  const fields = entries.map(({ name }) => name)
  const make = useDeed('/elevator/insertElevator', t('add'), fields)
  const change = useDeed('/elevator/updateElevator', t('save'), fields)
  const remove = useDeed('/elevator/deleteElevator', t('delete'), [])
  const row = query.data?.list.find(({ elevatorId }) => elevatorId === open)
  const close = () => {
    make.reset()
    change.reset()
    setOpen(undefined)
  }
  const send = (values: Values, updateTime: string | undefined) => {
    const told = values as unknown as Parameters<typeof make.run>[0]
    if (open === 'new') make.run(told, close)
    else if (open !== undefined) change.run({ ...told, elevatorId: open, ...(updateTime && { updateTime }) }, close)
  }
  const add = (
    <Button type="primary" icon={<IconPlus size={17} stroke={2} />} onClick={() => setOpen('new')}>
      {t('add-elevator')}
    </Button>
  )
  return (
    <Page>
      <SearchBar
        text={text}
        hint={t('search-elevators')}
        onSearch={(next) => setParams(next ? { text: next } : {}, { replace: true })}
      >
        {add}
      </SearchBar>
      <Shown
        query={query}
        isEmpty={({ list }) => list.length === 0}
        filtered={text !== ''}
        empty={<Nothing why={t('no-elevators')} action={add} />}
      >
        {({ list, total }) => (
          <>
            <Ledger
              label={t('elevator')}
              columns={COLUMNS}
              rows={list}
              nameOf={(lift) => lift.elevatorName}
              idOf={(lift) => lift.elevatorId}
              cells={(lift) => [
                <bdi key="code" dir="ltr">
                  {lift.code}
                </bdi>,
                <bdi key="building">{lift.buildingName}</bdi>,
                <bdi key="floor">{floorsOf(lift.floor).join(' · ')}</bdi>,
                lift.providerName || t('provider-virtual'),
                <bdi key="contact">{[lift.contactName, lift.contactPhone].filter(Boolean).join(' ')}</bdi>,
                <bdi key="owner">{lift.userName}</bdi>,
                number(lift.robots),
              ]}
              onEdit={(lift) => setOpen(lift.elevatorId)}
              onDelete={(lift) => setLeaving(lift)}
            />
            {total > PAGE && (
              <Pagination
                current={page}
                pageSize={PAGE}
                total={total}
                showSizeChanger={false}
                onChange={(next) => setParams({ ...(text && { text }), page: String(next) })}
              />
            )}
          </>
        )}
      </Shown>
      {(open === 'new' || row) && (
        <EntryDialog
          title={row ? t('edit-named', { name: row.elevatorName }) : t('add-elevator')}
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
          name={leaving.elevatorName}
          busy={remove.busy}
          problem={remove.problem}
          onDelete={() => remove.run({ elevatorId: leaving.elevatorId }, () => setLeaving(undefined))}
          onClose={() => {
            remove.reset()
            setLeaving(undefined)
          }}
        />
      )}
    </Page>
  )
}

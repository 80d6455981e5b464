/** /device/index/product/batch/index: devices made together, by their rack numbers, with the parts that they have. */
import { IconPlus, IconTool } from '@tabler/icons-react'
import { Button, Pagination, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/rpc/session'
import { Page } from '@/shared/ui/panel'
import { Nothing, Shown } from '@/shared/ui/shown'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog } from './entry-dialog'
import { FitDialog } from './fit-dialog'
import { DeleteDialog, Ledger, SearchBar } from './ledger'
import { chosen, named, rackRange, type Values } from './rules'
import { useEntry } from './use-entry'

type BatchRow = Answer<'/deviceProductBatch/list'>['list'][number]

const PAGE = 50
const FIELDS = ['batchName', 'rackRange', 'typeIds', 'hardSupportIds']
const NEW = { batchName: '', rackRange: '', typeIds: [], hardSupportIds: [] }

const pick = ({ batchName, rackRange, typeIds, hardSupportIds, updateTime }: BatchRow) => ({
  ...{ batchName, rackRange, typeIds, hardSupportIds, updateTime },
})

function useEntries() {
  const types = useCall('/device/selectDeviceType')
  const parts = useCall('/deviceHardSupport/list', {})
  const partOptions = useMemo(
    () =>
      (parts.data?.list ?? []).map((part) => ({
        value: part.id,
        label: [part.cate_name, [part.name, part.version].filter(Boolean).join(' ')].join(' · '),
      })),
    [parts.data],
  )
  const entries: Entry[] = useMemo(
    () => [
      { name: 'batchName', label: 'name', rule: named },
      { name: 'rackRange', label: 'rack-range', hint: 'range-how', ltr: true, rule: rackRange },
      {
        ...{ name: 'typeIds', label: 'device-type', kind: 'choices' as const, wide: true, rule: chosen('fault-types') },
        options: (types.data?.list ?? []).map((one) => ({ value: one.typeId, label: one.typeName })),
      },
      { name: 'hardSupportIds', label: 'hardware-part', kind: 'choices', wide: true, options: partOptions },
    ],
    [types.data, partOptions],
  )
  return { entries, partName: new Map(partOptions.map(({ value, label }) => [value, label])) }
}

export function BatchesScreen() {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const keys = useSession()?.permissionKeys ?? {}
  const [params, setParams] = useSearchParams()
  const text = params.get('text') ?? ''
  const page = Math.max(1, Number.parseInt(params.get('page') ?? '1', 10) || 1)
  const asked = { currentPage: page, pageSize: PAGE, ...(text && { keyword: text }) }
  const query = useCall('/deviceProductBatch/list', asked, { keep: true })
  const { entries, partName } = useEntries()
  const [fitting, setFitting] = useState<BatchRow>()
  const make = useDeed('/deviceProductBatch/insert', t('add'), FIELDS)
  const change = useDeed('/deviceProductBatch/update', t('save'), FIELDS)
  const remove = useDeed('/deviceProductBatch/delete', t('delete'))
  const { open, setOpen, leaving, setLeaving, close } = useEntry<BatchRow>([make, change, remove])
  const row = query.data?.list.find(({ batchId }) => batchId === open)
  const send = (values: Values, updateTime: string | undefined) => {
    const told = values as unknown as Parameters<typeof make.run>[0]
    if (open === 'new') make.run(told, close)
    else if (open !== undefined) change.run({ ...told, batchId: open, ...(updateTime && { updateTime }) }, close)
  }
  const add = (
    <Button type="primary" icon={<IconPlus size={17} stroke={2} />} onClick={() => setOpen('new')}>
      {t('add-batch')}
    </Button>
  )
  const fit = (batch: BatchRow) =>
    keys['device/index/edit_hardware'] &&
    batch.hardSupportIds.length > 0 &&
    batch.robots > 0 && (
      <Tooltip title={t('fit')}>
        <Button
          type="text"
          size="small"
          icon={<IconTool size={17} stroke={1.75} />}
          aria-label={`${t('fit')}: ${batch.batchName}`}
          onClick={() => setFitting(batch)}
        />
      </Tooltip>
    )
  return (
    <Page>
      <SearchBar
        text={text}
        hint={t('search-batches')}
        onSearch={(next) => setParams(next ? { text: next } : {}, { replace: true })}
      >
        {add}
      </SearchBar>
      <Shown
        query={query}
        isEmpty={({ list }) => list.length === 0}
        filtered={text !== ''}
        empty={<Nothing why={t('no-batches')} action={add} />}
      >
        {({ list, total }) => (
          <>
            <Ledger
              label={t('production-batch')}
              columns={['name', 'rack-range', 'device-type', 'hardware-part', 'device']}
              rows={list}
              nameOf={(batch) => batch.batchName}
              idOf={(batch) => batch.batchId}
              cells={(batch) => [
                <bdi key="range" dir="ltr">
                  {batch.rackRange}
                </bdi>,
                <bdi key="types">{batch.typeNames.join(' · ')}</bdi>,
                <bdi key="parts">{batch.hardSupportIds.map((id) => partName.get(id) ?? '').join(', ')}</bdi>,
                number(batch.robots),
              ]}
              deeds={fit}
              onEdit={(batch) => setOpen(batch.batchId)}
              onDelete={setLeaving}
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
          title={row ? t('edit-named', { name: row.batchName }) : t('add-batch')}
          entries={entries}
          row={row && pick(row)}
          start={NEW}
          deed={open === 'new' ? make : change}
          onSend={send}
          onRefresh={query.refetch}
          onClose={close}
        />
      )}
      {fitting && (
        <FitDialog batchId={fitting.batchId} name={fitting.batchName} onClose={() => setFitting(undefined)} />
      )}
      {leaving && (
        <DeleteDialog
          name={leaving.batchName}
          busy={remove.busy}
          problem={remove.problem}
          onDelete={() => remove.run({ batchId: leaving.batchId }, close)}
          onClose={close}
        />
      )}
    </Page>
  )
}

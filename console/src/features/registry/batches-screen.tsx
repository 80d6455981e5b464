/** /device/index/product/batch/index: devices made together, by their rack numbers, with the parts that they have. */
import { IconTool } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import { LineAction } from '@/widgets/list/line-action'
import { Pages } from '@/widgets/list/pages'
import { useFilters } from '@/widgets/list/use-filters'
import type { RegistryField } from './entry-dialog'
import { EntryDialogs, type EntryRequest, type Kind } from './entry-dialogs'
import { FitDialog } from './fit-dialog'
import { Ledger, SearchBar } from './ledger'
import { chosen, named, rackRange } from './rules'

type BatchRow = Answer<'/deviceProductBatch/list'>['list'][number]

const BATCHES: Kind<BatchRow> = {
  insert: '/deviceProductBatch/insert',
  update: '/deviceProductBatch/update',
  remove: '/deviceProductBatch/delete',
  id: 'batchId',
  idOf: ({ batchId }) => batchId,
  nameOf: ({ batchName }) => batchName,
}

const PAGE = 50
const NEW = { batchName: '', rackRange: '', typeIds: [], hardSupportIds: [] }

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
  const entries: RegistryField[] = useMemo(
    () => [
      { name: 'batchName', label: 'name', rule: named },
      { name: 'rackRange', label: 'rack-range', hint: 'range-how', ltr: true, rule: rackRange },
      {
        ...{ name: 'typeIds', label: 'device-type', kind: 'choices' as const, wide: true, rule: chosen('fault-types') },
        options: (types.data?.list ?? []).map((type) => ({ value: type.typeId, label: type.typeName })),
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
  const { filters, change, turn, narrowed, page } = useFilters(['text'])
  const payload = { currentPage: page, pageSize: PAGE, ...(narrowed && { keyword: filters.text }) }
  const query = useCall('/deviceProductBatch/list', payload, { keep: true })
  const [request, ask] = useState<EntryRequest<BatchRow>>()
  const { entries, partName } = useEntries()
  const [fitting, setFitting] = useState<BatchRow>()
  const add = <AddButton onClick={() => ask('new')}>{t('add-batch')}</AddButton>
  const fit = (batch: BatchRow) =>
    keys['device/index/edit_hardware'] &&
    batch.hardSupportIds.length > 0 &&
    batch.robots > 0 && (
      <LineAction icon={IconTool} label={t('fit')} name={batch.batchName} onClick={() => setFitting(batch)} />
    )
  return (
    <Page>
      <SearchBar text={filters.text} hint={t('search-batches')} onSearch={(text) => change({ text })}>
        {add}
      </SearchBar>
      <Ledger
        label={t('production-batch')}
        columns={['name', 'rack-range', 'device-type', 'hardware-part', 'device']}
        query={query}
        kind={BATCHES}
        filtered={narrowed}
        none={<Nothing why={t('no-batches')} action={add} />}
        foot={<Pages page={page} size={PAGE} total={query.data?.total ?? 0} onPage={turn} />}
        cells={(batch) => [
          <bdi key="range" dir="ltr">
            {batch.rackRange}
          </bdi>,
          <bdi key="types">{batch.typeNames.join(' · ')}</bdi>,
          <bdi key="parts">{batch.hardSupportIds.map((id) => partName.get(id) ?? '').join(', ')}</bdi>,
          number(batch.robots),
        ]}
        actions={fit}
        onAsk={ask}
      />
      <EntryDialogs
        kind={BATCHES}
        request={request}
        title={t('add-batch')}
        entries={entries}
        start={NEW}
        query={query}
        onClose={() => ask(undefined)}
      />
      {fitting && (
        <FitDialog batchId={fitting.batchId} name={fitting.batchName} onClose={() => setFitting(undefined)} />
      )}
    </Page>
  )
}

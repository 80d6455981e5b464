/** /device/index/product/batch/index: devices made together, by their rack numbers, with the parts that they have. */
import { IconTool } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { needed } from '@/widgets/form/rules'
import { filters, useFilters, words } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { Search } from '@/widgets/list/search'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { FitDialog } from './fit-dialog'
import { rackRange, required } from './rules'

type BatchRow = Answer<'/deviceProductBatch/list'>['list'][number]

const FILTERS = filters({ text: words((keyword) => ({ keyword })) })

function usePartOptions() {
  const parts = useCall('/deviceHardSupport/list', {}).data?.list ?? []
  return parts.map(({ id, cate_name, name, version }) => ({
    value: id,
    label: [cate_name, [name, version].filter(Boolean).join(' ')].join(' · '),
  }))
}

function useOptions() {
  const types = useCall('/device/selectDeviceType').data?.list ?? []
  return {
    typeIds: types.map(({ typeId, typeName }) => ({ value: typeId, label: typeName })),
    hardSupportIds: usePartOptions(),
  }
}

function PartNames({ ids }: { ids: readonly number[] }) {
  const { list } = useFormats()
  const names = new Map(usePartOptions().map(({ value, label }) => [value, label]))
  return <bdi>{list(ids.map((id) => names.get(id) ?? ''))}</bdi>
}

function Fit({ row }: { row: BatchRow }) {
  const { t } = useTranslation('registry')
  const may = useMay('device/index/edit_hardware')
  const [open, setOpen] = useState(false)
  if (!may || row.hardSupportIds.length === 0 || row.robots === 0) return null
  return (
    <>
      <LineAction icon={IconTool} label={t('fit')} name={row.batchName} onClick={() => setOpen(true)} />
      {open && <FitDialog batchId={row.batchId} name={row.batchName} onClose={() => setOpen(false)} />}
    </>
  )
}

const BATCHES = resource({
  name: 'batch',
  texts: 'registry',
  label: 'production-batch',
  add: 'add-batch',
  empty: 'no-batches',
  list: '/deviceProductBatch/list',
  insert: '/deviceProductBatch/insert',
  update: '/deviceProductBatch/update',
  remove: '/deviceProductBatch/delete',
  id: 'batchId',
  key: 'batchId',
  title: 'batchName',
  columns: [
    { key: 'batchName', label: 'name', heading: true },
    { key: 'rackRange', label: 'rack-range', ltr: true },
    { key: 'types', label: 'device-types', value: ({ typeNames }) => typeNames.join(' · ') },
    {
      key: 'parts',
      label: 'hardware-parts',
      value: ({ hardSupportIds }) => hardSupportIds.length,
      cell: ({ hardSupportIds }) => <PartNames ids={hardSupportIds} />,
    },
    { key: 'robots', label: 'robots' },
  ],
  fields: [
    { name: 'batchName', label: 'name', rule: required },
    { name: 'rackRange', label: 'rack-range', hint: 'range-how', ltr: true, rule: rackRange },
    { name: 'typeIds', label: 'device-types', kind: 'choices', wide: true, rule: needed('fault-types') },
    { name: 'hardSupportIds', label: 'hardware-parts', kind: 'choices', wide: true },
  ],
  start: { batchName: '', rackRange: '', typeIds: [], hardSupportIds: [] },
  useOptions,
  Actions: Fit,
})

export function BatchesScreen() {
  const { t } = useTranslation('registry')
  const { values, change, reset, turn, ...query } = useFilters(FILTERS)
  return (
    <Page>
      <ResourceScreen
        of={BATCHES}
        {...query}
        onReset={reset}
        onPage={turn}
        search={<Search text={values.text} hint={t('search-batches')} onSearch={(text) => change({ text })} />}
      />
    </Page>
  )
}

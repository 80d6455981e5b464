/** /elevator/index: the elevators that robots ride. */
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { PROVIDERS } from '@/shared/rpc/places'
import { Text } from '@/shared/ui/layout'
import { Page } from '@/shared/ui/panel'
import { filters, useFilters, words } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { Search } from '@/widgets/list/search'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { addressOrNone, floors, floorsOf, phone, required } from '../rules'
import { ElevatorDialog } from './elevator-dialog'
import { type ElevatorRow, ElevatorState } from './elevator-state'

const FILTERS = filters({ text: words((keyword) => ({ keyword })) })

function useOptions() {
  const { t } = useTranslation('registry')
  return { provider: PROVIDERS.map((name, value) => ({ value, label: name || t('provider-virtual') })) }
}

function Rides({ row }: { row: ElevatorRow }) {
  const { t } = useTranslation('registry')
  const [open, setOpen] = useState(false)
  return (
    <>
      <LineAction icon={IconHistory} label={t('lift-show')} name={row.elevatorName} onClick={() => setOpen(true)} />
      {open && <ElevatorDialog elevator={row} onClose={() => setOpen(false)} />}
    </>
  )
}

const ELEVATORS = resource({
  name: 'elevator',
  texts: 'registry',
  label: 'elevator',
  add: 'add-elevator',
  empty: 'no-elevators',
  list: '/elevator/list',
  insert: '/elevator/insertElevator',
  update: '/elevator/updateElevator',
  remove: '/elevator/deleteElevator',
  id: 'elevatorId',
  key: 'elevatorId',
  title: 'elevatorName',
  columns: [
    { key: 'elevatorName', label: 'name', heading: true },
    { key: 'code', label: 'code', ltr: true },
    { key: 'buildingName', label: 'building' },
    { key: 'floor', label: 'floors', value: ({ floor }) => floorsOf(floor).join(' · ') },
    {
      key: 'now',
      label: 'lift-now',
      value: ({ live }) => live.floor,
      cell: (elevator) => <ElevatorState elevator={elevator} />,
    },
    {
      key: 'provider',
      label: 'elevator-provider',
      value: ({ providerName }, { t }) => providerName || t('provider-virtual'),
      cell: ({ providerName, adapted }, { t }) => (
        <>
          {providerName || t('provider-virtual')}
          {!adapted && (
            <Text as="span" tone="soft">
              {' '}
              · {t('not-moved')}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'contact',
      label: 'contact',
      value: ({ contactName, contactPhone }) => [contactName, contactPhone].filter(Boolean).join(' '),
    },
    { key: 'userName', label: 'owner' },
    { key: 'robots', label: 'robots' },
  ],
  fields: [
    { name: 'elevatorName', label: 'name', rule: required },
    { name: 'code', label: 'code', ltr: true },
    { name: 'buildingName', label: 'building', rule: required },
    { name: 'buildingAddress', label: 'building-address' },
    { name: 'floor', label: 'floors', hint: 'floors-how', wide: true, rule: floors },
    { name: 'contactName', label: 'contact' },
    { name: 'contactPhone', label: 'phone', ltr: true, rule: phone },
    { name: 'position', label: 'position' },
    { name: 'size', label: 'cabin-size' },
    { name: 'provider', label: 'elevator-provider', hint: 'provider-how', kind: 'choice' },
    { name: 'groupId', label: 'elevator-group', hint: 'elevator-group-how', kind: 'number' },
    { name: 'moduleId', label: 'elevator-module', ltr: true },
    { name: 'robotId', label: 'robot-id', ltr: true },
    { name: 'server', label: 'server', ltr: true, wide: true, rule: addressOrNone },
    { name: 'secret', label: 'secret', hint: 'secret-how', kind: 'secret', wide: true },
  ],
  start: {
    ...{ elevatorName: '', code: '', buildingName: '', buildingAddress: '', contactName: '', contactPhone: '' },
    ...{ groupId: null, size: '', floor: '', position: '', provider: 0 },
    ...{ moduleId: '', robotId: '', server: '', secret: null },
  },
  useOptions,
  Actions: Rides,
})

export function ElevatorsScreen() {
  const { t } = useTranslation('registry')
  const { values, change, reset, turn, ...query } = useFilters(FILTERS)
  return (
    <Page>
      <ResourceScreen
        of={ELEVATORS}
        {...query}
        onReset={reset}
        onPage={turn}
        search={<Search text={values.text} hint={t('search-elevators')} onSearch={(text) => change({ text })} />}
      />
    </Page>
  )
}

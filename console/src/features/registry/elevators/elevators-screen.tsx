/** /elevator/index: the elevators that robots ride. */
import { IconHistory } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { PROVIDERS } from '@/shared/rpc/places'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import { LineAction } from '@/widgets/list/line-action'
import { Pages } from '@/widgets/list/pages'
import { useFilters } from '@/widgets/list/use-filters'
import type { RegistryField } from '../entry-dialog'
import { EntryDialogs, type EntryRequest, type Kind } from '../entry-dialogs'
import { Ledger, SearchBar } from '../ledger'
import styles from '../registry.module.css'
import { addressOrNone, floors, floorsOf, named, phone } from '../rules'
import { ElevatorDialog } from './elevator-dialog'
import { ElevatorState } from './elevator-state'

type ElevatorRow = Answer<'/elevator/list'>['list'][number]

const ELEVATORS: Kind<ElevatorRow> = {
  insert: '/elevator/insertElevator',
  update: '/elevator/updateElevator',
  remove: '/elevator/deleteElevator',
  id: 'elevatorId',
  idOf: ({ elevatorId }) => elevatorId,
  nameOf: ({ elevatorName }) => elevatorName,
}

const PAGE = 50
const LIVE_MS = 3000
const COLUMNS = ['name', 'code', 'building', 'floor', 'lift-now', 'elevator-provider', 'contact', 'owner', 'robot']
const NEW = {
  ...{ elevatorName: '', code: '', buildingName: '', buildingAddress: '', contactName: '', contactPhone: '' },
  ...{
    groupId: null,
    size: '',
    floor: '',
    position: '',
    provider: 0,
    moduleId: '',
    robotId: '',
    server: '',
    secret: null,
  },
}

function useEntries(): RegistryField[] {
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
        ...{ name: 'provider', label: 'elevator-provider', hint: 'provider-how', kind: 'choice' as const },
        options: PROVIDERS.map((name, value) => ({ value, label: name || t('provider-virtual') })),
      },
      { name: 'groupId', label: 'elevator-group', hint: 'elevator-group-how', kind: 'number' },
      { name: 'moduleId', label: 'elevator-module', ltr: true },
      { name: 'robotId', label: 'robot-id', ltr: true },
      { name: 'server', label: 'server', ltr: true, wide: true, longest: 200, rule: addressOrNone },
      { name: 'secret', label: 'secret', hint: 'secret-how', kind: 'secret', wide: true, longest: 300 },
    ],
    [t],
  )
}

export function ElevatorsScreen() {
  const { t } = useTranslation('registry')
  const { number } = useFormats()
  const { filters, change, turn, narrowed, page } = useFilters(['text'])
  const payload = { currentPage: page, pageSize: PAGE, ...(narrowed && { keyword: filters.text }) }
  const query = useCall('/elevator/list', payload, { keep: true, refetchInterval: LIVE_MS })
  const [request, ask] = useState<EntryRequest<ElevatorRow>>()
  const [opened, show] = useState<ElevatorRow>()
  const entries = useEntries()
  const add = <AddButton onClick={() => ask('new')}>{t('add-elevator')}</AddButton>
  return (
    <Page>
      <SearchBar text={filters.text} hint={t('search-elevators')} onSearch={(text) => change({ text })}>
        {add}
      </SearchBar>
      <Ledger
        label={t('elevator')}
        columns={COLUMNS}
        query={query}
        kind={ELEVATORS}
        filtered={narrowed}
        none={<Nothing why={t('no-elevators')} action={add} />}
        foot={<Pages page={page} size={PAGE} total={query.data?.total ?? 0} onPage={turn} />}
        cells={(elevator) => [
          <bdi key="code" dir="ltr">
            {elevator.code}
          </bdi>,
          <bdi key="building">{elevator.buildingName}</bdi>,
          <bdi key="floor">{floorsOf(elevator.floor).join(' · ')}</bdi>,
          <ElevatorState key="now" elevator={elevator} />,
          <span key="provider">
            {elevator.providerName || t('provider-virtual')}
            {!elevator.adapted && <small className={styles.soft}> · {t('not-moved')}</small>}
          </span>,
          <bdi key="contact">{[elevator.contactName, elevator.contactPhone].filter(Boolean).join(' ')}</bdi>,
          <bdi key="owner">{elevator.userName}</bdi>,
          number(elevator.robots),
        ]}
        actions={(elevator) => (
          <LineAction
            icon={IconHistory}
            label={t('lift-show')}
            name={elevator.elevatorName}
            onClick={() => show(elevator)}
          />
        )}
        onAsk={ask}
      />
      <EntryDialogs
        kind={ELEVATORS}
        request={request}
        title={t('add-elevator')}
        entries={entries}
        start={NEW}
        query={query}
        onClose={() => ask(undefined)}
      />
      {opened && <ElevatorDialog elevator={opened} onClose={() => show(undefined)} />}
    </Page>
  )
}

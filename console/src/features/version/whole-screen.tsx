/** /version/index/whole_version: app, firmware and software that belong together, published to the robots of their lists. */
import { IconCircleCheck, IconCircleX, IconPlayerStop, IconStairsUp, IconWorldUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import type { Option } from '@/widgets/form/fields'
import { useAction } from '@/widgets/form/use-action'
import { filters, useFilters, words } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { Search } from '@/widgets/list/search'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { PublicationDialog } from './publication-dialog'
import { RobotsDialog } from './robots-dialog'
import { StartDialog } from './rollout/start-dialog'
import { PAGE, type WholeRow } from './rows'
import { firmwareVersion, name, softVersion, versionNumber } from './rules'
import { VersionState } from './version-state'

const FILTERS = filters({ text: words((text) => ({ name: text })) })
const PUBLISH = 'version/index/whole_version/publish'

const unique = (versions: readonly string[]): readonly Option[] =>
  [...new Set(versions)].map((version) => ({ value: version, label: version }))

/** What there is of each part, the newest first. */
function useParts() {
  const apps = useCall('/wmWholeVersion/selectWholeVersionAppByPadPgyerHistory', { currentPage: 1, pageSize: 200 })
  const firmware = useCall('/version/selectVersionFireware')
  const software = useCall('/wmWholeVersion/querySoftVersionList', {})
  return {
    appVersion: unique(apps.data?.list.map((app) => app.name) ?? []),
    firmwareVersion: unique(firmware.data?.list.map(({ version }) => version) ?? []),
    softVersion: unique(software.data?.list.map(({ version }) => version) ?? []),
  }
}

const WHOLE = resource({
  name: 'whole-version',
  texts: 'version',
  label: 'common:system-version',
  add: 'version:add-whole',
  empty: 'version:no-wholes',
  list: '/wmWholeVersion/queryByPage',
  insert: '/wmWholeVersion/add',
  update: '/wmWholeVersion/edit',
  remove: '/wmWholeVersion/deleteById',
  editKey: PUBLISH,
  id: 'id',
  key: 'id',
  title: 'name',
  useOptions: useParts,
  columns: [
    { key: 'name', label: 'version:name', heading: true },
    { key: 'versionNumber', label: 'common:version-number', ltr: true },
    {
      key: 'published',
      label: 'version:state',
      value: ({ published }, { t }) => t(published ? 'common:published' : 'common:unpublished'),
      cell: ({ published }) => <VersionState on={published} />,
    },
    { key: 'appVersion', label: 'common:app-version', ltr: true },
    { key: 'firmwareVersion', label: 'version:firmware-version', ltr: true },
    { key: 'softVersion', label: 'common:software-version', ltr: true },
    { key: 'blackList', label: 'common:block-list', number: true, value: ({ blackList }) => blackList.length },
    { key: 'whiteList', label: 'common:allow-list', number: true, value: ({ whiteList }) => whiteList.length },
    {
      key: 'publishTime',
      label: 'version:published-at',
      cell: ({ publishTime }, { dateTime }) => publishTime && dateTime(Date.parse(publishTime)),
    },
  ],
  fields: [
    { name: 'name', label: 'version:name', rule: name },
    { name: 'versionNumber', label: 'common:version-number', ltr: true, rule: versionNumber },
    { name: 'softVersion', label: 'common:software-version', kind: 'choice', rule: softVersion },
    { name: 'firmwareVersion', label: 'version:firmware-version', kind: 'choice', rule: firmwareVersion },
    { name: 'appVersion', label: 'common:app-version', kind: 'choice', clearable: true },
  ],
  start: { name: '', versionNumber: '', softVersion: null, firmwareVersion: null, appVersion: null },
  Actions: WholeActions,
})

export function WholeScreen() {
  const { t } = useTranslation('version')
  const { values, payload, narrowed, paging, change, reset, turn } = useFilters(FILTERS, PAGE)
  return (
    <Page>
      <ResourceScreen
        of={WHOLE}
        payload={payload}
        narrowed={narrowed}
        paging={paging}
        onReset={reset}
        onPage={turn}
        search={<Search text={values.text} hint={t('name')} onSearch={(text) => change({ text })} />}
      />
    </Page>
  )
}

type Request = 'publish' | 'rollout' | 'black' | 'white'

function WholeActions({ row }: { row: WholeRow }) {
  const { t } = useTranslation('version')
  const mayPublish = useMay(PUBLISH)
  const mayRollOut = useMay('version/soft') && mayPublish
  const [request, setRequest] = useState<Request>()
  const close = () => setRequest(undefined)
  return (
    <>
      {mayPublish && (
        <LineAction
          icon={row.published ? IconPlayerStop : IconWorldUpload}
          label={t(row.published ? 'common:unpublish' : 'common:publish')}
          name={row.name}
          onClick={() => setRequest('publish')}
        />
      )}
      {mayRollOut && row.published && (
        <LineAction
          icon={IconStairsUp}
          label={t('common:roll-out')}
          name={row.name}
          onClick={() => setRequest('rollout')}
        />
      )}
      <LineAction
        icon={IconCircleX}
        label={t('common:block-list')}
        name={row.name}
        onClick={() => setRequest('black')}
      />
      <LineAction
        icon={IconCircleCheck}
        label={t('common:allow-list')}
        name={row.name}
        onClick={() => setRequest('white')}
      />
      {request === 'rollout' && (
        <StartDialog of={{ versionKind: 'whole', publicId: row.id }} name={row.name} onClose={close} />
      )}
      {request === 'publish' && <Publication row={row} onClose={close} />}
      {(request === 'black' || request === 'white') && <Robots row={row} list={request} onClose={close} />}
    </>
  )
}

interface RowProps {
  row: WholeRow
  onClose(): void
}

function Publication({ row, onClose }: RowProps) {
  const { t } = useTranslation('version')
  const word = t(row.published ? 'common:unpublish' : 'common:publish')
  const action = useAction('/wmWholeVersion/edit', word)
  return (
    <PublicationDialog
      row={row}
      action={action}
      onConfirm={() => void action.run({ id: row.id, published: !row.published }, onClose)}
      onClose={onClose}
    />
  )
}

function Robots({ row, list, onClose }: RowProps & { list: 'black' | 'white' }) {
  const { t } = useTranslation('version')
  const black = list === 'black'
  const query = useCall(black ? '/wmWholeVersion/selectDeviceRange' : '/wmWholeVersion/selectDeviceWhiteRange', {
    id: row.id,
  })
  const action = useAction(
    black ? '/wmWholeVersionWhiteBlack/add' : '/wmWholeVersionWhiteBlack/addWhite',
    t('common:save'),
  )
  return (
    <RobotsDialog
      title={`${t(black ? 'common:block-list' : 'common:allow-list')}: ${row.name}`}
      text={t(black ? 'block-list-means' : 'allow-list-means')}
      okText={t('common:save')}
      query={query}
      action={action}
      onSend={(deviceSerialNumbers) => void action.run({ wholeVersionId: row.id, deviceSerialNumbers }, onClose)}
      onClose={onClose}
    />
  )
}

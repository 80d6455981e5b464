/** /version/index/cloud_version: versions of this software, and what people are shown as new in each. */
import { Page } from '@/shared/ui/panel'
import { filters, useFilters } from '@/widgets/list/filters'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { PAGE } from './rows'
import { versionNumber } from './rules'

const NO_FILTERS = filters({})

const CLOUD = resource({
  name: 'cloud-version',
  texts: 'version',
  label: 'common:cloud-version',
  add: 'version:add-cloud',
  empty: 'version:no-clouds',
  list: '/wmCloudVersion/queryByPage',
  insert: '/wmCloudVersion/add',
  update: '/wmCloudVersion/edit',
  remove: '/wmCloudVersion/deleteById',
  id: 'id',
  key: 'id',
  title: 'version',
  columns: [
    { key: 'version', label: 'common:version', heading: true, ltr: true },
    { key: 'log', label: 'common:release-notes', cut: true },
    {
      key: 'publishTime',
      label: 'version:published-at',
      cell: ({ publishTime }, { dateTime }) => dateTime(Date.parse(publishTime)),
    },
  ],
  fields: [
    { name: 'version', label: 'common:version', ltr: true, wide: true, rule: versionNumber },
    { name: 'log', label: 'common:release-notes', kind: 'text', wide: true, hint: 'version:cloud-notes-how' },
  ],
  start: { version: '', log: '' },
})

export function CloudScreen() {
  const { paging, turn } = useFilters(NO_FILTERS, PAGE)
  return (
    <Page>
      <ResourceScreen of={CLOUD} paging={paging} onPage={turn} />
    </Page>
  )
}

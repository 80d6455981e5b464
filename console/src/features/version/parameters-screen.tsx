/** /version/configure: configuration parameters, by their key, and how far robots are with them. */
import { Page } from '@/shared/ui/panel'
import { Deliveries } from '@/widgets/delivery/deliveries'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { key } from './rules'

const PARAMETERS = resource({
  name: 'parameter',
  texts: 'version',
  label: 'common:configuration-parameter',
  add: 'version:add-parameter',
  empty: 'version:no-parameters',
  list: '/configure/findAll',
  insert: '/configure/add',
  update: '/configure/edit',
  remove: '/configure/del',
  id: 'id',
  key: 'id',
  title: 'key',
  columns: [
    { key: 'key', label: 'version:key', heading: true, ltr: true },
    { key: 'value', label: 'version:value', ltr: true, cut: true },
    { key: 'updateTime', label: 'version:updated', cell: (row, { dateTime }) => dateTime(Date.parse(row.updateTime)) },
  ],
  fields: [
    { name: 'key', label: 'version:key', hint: 'version:key-how', ltr: true, wide: true, rule: key },
    { name: 'value', label: 'version:value', ltr: true, wide: true },
  ],
  start: { key: '', value: '' },
})

export const ParametersScreen = () => (
  <Page>
    <ResourceScreen of={PARAMETERS} />
    <Deliveries of="parameters" panel />
  </Page>
)

/** /file/host: file servers. */
import { Page } from '@/shared/ui/panel'
import { resource } from '@/widgets/resource/resource'
import { ResourceScreen } from '@/widgets/resource/resource-screen'
import { address, required } from './rules'

const SERVERS = resource({
  name: 'server',
  texts: 'registry',
  label: 'server',
  add: 'add-server',
  empty: 'no-servers',
  list: '/host/list',
  insert: '/host/add',
  update: '/host/edit',
  remove: '/host/del',
  id: 'id',
  key: 'id',
  title: 'name',
  columns: [
    { key: 'name', label: 'name', heading: true },
    { key: 'url', label: 'address', ltr: true },
    { key: 'use', label: 'use', value: ({ flag }, { t }) => t(flag ? 'use-1' : 'use-0') },
  ],
  fields: [
    { name: 'name', label: 'name', rule: required },
    { name: 'url', label: 'address', hint: 'address-how', ltr: true, rule: address },
    {
      name: 'flag',
      label: 'use',
      kind: 'choice',
      choices: [
        [1, 'use-1'],
        [0, 'use-0'],
      ],
    },
  ],
  start: { name: '', url: '', flag: 1 },
})

export const ServersScreen = () => (
  <Page>
    <ResourceScreen of={SERVERS} />
  </Page>
)

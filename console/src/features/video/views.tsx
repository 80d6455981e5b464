/** Who watched a robot's cameras and recordings, the newest first. */
import { useTranslation } from '@/shared/i18n/text'
import { Nothing } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { filters } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { usePagedList } from '@/widgets/list/use-paged-list'
import type { View } from './rows'

const PAGE = 10
const NONE = filters({})
const KINDS = { live: 'common:live-video', recording: 'played', download: 'downloaded', clip: 'clip-opened' } as const
const COLUMNS: readonly Column<View>[] = [
  { key: 'name', label: 'video:who', heading: true, value: ({ name }, { t }) => name || t('video:anybody') },
  {
    key: 'kind',
    label: 'video:what',
    value: ({ kind }, { t }) => t(kind === 'live' ? KINDS.live : `video:${KINDS[kind]}`),
  },
  { key: 'subject', label: 'video:of', ltr: true },
  { key: 'time', label: 'video:begins', cell: ({ time }, { dateTime }) => dateTime(Date.parse(time)) },
  {
    key: 'endTime',
    label: 'video:ends',
    cell: ({ endTime }, { dateTime }) => (endTime ? dateTime(Date.parse(endTime)) : ''),
  },
]

export function Views({ deviceSerialNumber }: { deviceSerialNumber: string }) {
  const { t } = useTranslation('video')
  const { list } = usePagedList('/qiniuQvs/viewList', NONE, { size: PAGE, also: { deviceSerialNumber } })
  return (
    <ListView<View>
      {...list}
      name="videoView"
      texts="video"
      label={t('who-watched')}
      columns={COLUMNS}
      idOf={({ id }) => id}
      empty={<Nothing why={t('no-views')} />}
    />
  )
}

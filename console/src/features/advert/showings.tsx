/** How often an advert was shown to its end: by day, and by robot. */
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row as Line, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import type { Row } from './form'

type Showings = Answer<'/device/selectAdvertShowings'>
type OfRobot = Showings['list'][number]
type OfDay = Showings['days'][number]

const WIDTH = 720 // px

const ROBOTS: readonly Column<OfRobot>[] = [
  { key: 'deviceCode', label: 'common:robot', heading: true, cell: (row, { t }) => row.deviceCode || t('robot-gone') },
  { key: 'times', label: 'times' },
  { key: 'lastTime', label: 'last-report', cell: ({ lastTime }, { dateTime }) => dateTime(Date.parse(lastTime)) },
]
const DAYS: readonly Column<OfDay>[] = [
  { key: 'day', label: 'day', heading: true, cell: ({ day }, { date }) => date(Date.parse(`${day}T12:00Z`), 'UTC') },
  { key: 'times', label: 'times' },
]

export function Showings({ row, onClose }: { row: Row; onClose(): void }) {
  const { t } = useTranslation('advert')
  const query = useCall('/device/selectAdvertShowings', { advertId: row.id })
  const days = { ...query, data: query.data && { list: query.data.days } }
  const empty = <Text tone="quiet">{t('not-shown-yet')}</Text>
  return (
    <Modal open title={`${t('showings')} · ${row.name}`} footer={null} width={WIDTH} onCancel={onClose}>
      <Line stack gap="m">
        <Text tone="soft">{t('showings-how')}</Text>
        <ShortList
          texts="advert"
          label={t('showings')}
          columns={ROBOTS}
          query={query}
          idOf={({ deviceId }) => deviceId}
          empty={empty}
        />
        {(query.data?.days.length ?? 0) > 0 && (
          <ShortList texts="advert" label={t('day')} columns={DAYS} query={days} idOf={({ day }) => day} />
        )}
      </Line>
    </Modal>
  )
}

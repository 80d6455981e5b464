/** Recordings of sensors of all robots: by the alarm that they were made for, by robot, map, place and day. */
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Days } from '@/widgets/list/days'
import { date, filters, number, words } from '@/widgets/list/filters'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { LogActions } from './log-actions'
import { RECORDING_COLUMNS } from './log-columns'
import { type LogRow, nearPlace, placeIn } from './rows'

const PAGE = 30
const WITHIN_M = 5
const FILTERS = filters({
  code: words((code) => ({ code })),
  device: number((deviceId) => ({ deviceId })),
  map: words((mapName) => ({ mapName })),
  near: words((near) => placeIn(near)),
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
})

interface Props {
  head: ReactNode
  tools: ReactNode
}

export function Recordings({ head, tools }: Props) {
  const { t } = useTranslation('devicelog')
  const { unit } = useFormats()
  const { values, change, list } = usePagedList('/deviceLog/searchRecordings', FILTERS, { size: PAGE })
  const { code, device, map, near, from, to } = values
  return (
    <ListView<LogRow>
      name="recordings"
      texts="devicelog"
      label={t('common:rosbag')}
      columns={RECORDING_COLUMNS}
      {...list}
      idOf={({ id }) => id}
      actions={(row) => (
        <LogActions
          row={row}
          onNear={({ mapName, ...at }) => change({ map: mapName, near: nearPlace(at), code: codeOf(row) })}
        />
      )}
      empty={<Nothing why={t('no-recordings')} />}
      tools={tools}
      search={
        <Row wrap gap="m">
          {head}
          <Search text={code} hint={t('alarm-code')} dir="ltr" longest={64} onSearch={(next) => change({ code: next })}>
            <DevicePicker
              value={device}
              label={t('common:robot')}
              placeholder={t('every-robot')}
              onChange={(next) => change({ device: next })}
            />
            {map && (
              <Button icon={<IconX size={17} />} onClick={() => change({ map: '', near: '' })}>
                {placeIn(near) ? t('near-place', { distance: unit(WITHIN_M, 'metre', 0), map }) : map}
              </Button>
            )}
            <Days from={from} to={to} onChange={change} />
          </Search>
        </Row>
      }
    />
  )
}

const codeOf = ({ trigger }: LogRow) => trigger?.alarms[0]?.code ?? ''

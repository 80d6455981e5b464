/**
 * Tasks and schedules: the calendar of a building or of one robot, and of a robot its schedules, tasks, groups and
 * hand-drawn paths. What is shown stands in the address.
 */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useNow } from '@/shared/live/live'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Boundary } from '@/shared/ui/boundary'
import { Page } from '@/shared/ui/panel'
import { Nothing, QueryView } from '@/shared/ui/query-view'
import { AddButton } from '@/widgets/list/add-button'
import { SendHome } from '@/widgets/robot/send-home'
import { CalendarView } from './calendar/calendar-view'
import { weekday } from './calendar/days'
import { Toolbar } from './calendar/toolbar'
import { usePlace } from './place'
import { RobotParts } from './robot-parts'
import { type Choice, ScheduleDialog } from './schedule/schedule-dialog'
import { type Listed, takesSchedules } from './schedules'

const MINUTE_MS = 60_000

interface DialogRequest {
  readonly deviceId: number | undefined
  readonly schedule: Listed | undefined
  /** The day of the week that a new one begins with. */
  readonly weekday?: number
}

export function TasksScreen() {
  const { t } = useTranslation('task')
  const now = useNow(MINUTE_MS)
  const { place, buildings, device } = usePlace(now)
  const may = useMay('device/taskList')
  const [request, ask] = useState<DialogRequest>()
  const { by, deviceId, today } = place
  const query = by === 'building' ? buildings : device
  const edit = (schedule: Listed, id: number) => ask({ deviceId: id, schedule })
  return (
    <Page>
      <Toolbar place={place} today={today}>
        {by === 'building' && place.building && <SendHome building={place.building} />}
        {may && (by === 'building' ? place.building !== '' : device.data && takesSchedules(device.data)) && (
          <AddButton onClick={() => ask({ deviceId: by === 'robot' ? deviceId : undefined, schedule: undefined })}>
            {t('schedule-task')}
          </AddButton>
        )}
      </Toolbar>
      {by === 'robot' && deviceId === undefined ? (
        <Nothing why={t('choose-robot-first')} />
      ) : (
        <QueryView query={query as typeof buildings}>
          {() => (
            <Boundary>
              <CalendarView
                place={place}
                onEdit={edit}
                onAdd={(id, day) => ask({ deviceId: id, schedule: undefined, weekday: weekday(day) })}
              />
            </Boundary>
          )}
        </QueryView>
      )}
      {by === 'robot' && device.data && (
        <Boundary>
          <RobotParts place={place} device={device.data} onEdit={edit} />
        </Boundary>
      )}
      {request && <Asking {...request} place={place} onClose={() => ask(undefined)} />}
    </Page>
  )
}

function Asking({
  place,
  onClose,
  ...request
}: DialogRequest & { place: ReturnType<typeof usePlace>['place']; onClose(): void }) {
  const { building, by, deviceId, days, zone } = place
  const narrowed = by === 'robot' ? { deviceIds: deviceId === undefined ? [] : [deviceId] } : { building }
  const week = { ...narrowed, zone, startDate: days[0] ?? '', endDate: days.at(-1) ?? '' }
  // Kept while another week is asked for, as after a change of language: what was typed would be gone.
  const calendar = useCall('/task/calendar', week, { keep: true })
  const robots: readonly Choice[] = calendar.data?.robots ?? []
  return calendar.data ? <ScheduleDialog {...request} robots={robots} onClose={onClose} /> : null
}

/** What the screen shows, as the address says it: of a building or a robot, a day or a week, and what stands apart alone. */

import { firstDayOf } from '@/shared/i18n/format'
import { currentLanguage } from '@/shared/i18n/i18n'
import { LANGUAGES } from '@/shared/i18n/languages'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { choice, date, filters, number, useFilters, words } from '@/widgets/list/filters'
import { wall, weekOf } from './calendar/days'
import { NOTES, type Note } from './calendar/week'

export const PARTS = ['schedules', 'tasks', 'groups', 'paths'] as const
type Part = (typeof PARTS)[number]

const FILTERS = filters({
  by: choice(['building', 'robot']),
  building: words(),
  deviceId: number(),
  span: choice(['day', 'week']),
  day: date(),
  only: choice(NOTES),
  part: choice(PARTS),
  night: words(),
})

export interface Place {
  readonly by: 'building' | 'robot'
  readonly building: string
  readonly buildings: Answer<'/task/buildings'>['list']
  readonly deviceId: number | undefined
  readonly span: 'day' | 'week'
  readonly days: readonly string[]
  readonly today: string
  /** Of the clock that the calendar shows: the robot's, or that of the building's robots. */
  readonly zone: string
  readonly only: Note | undefined
  /** The day whose lanes are shown; '' leaves it to what the week holds. */
  readonly night: string
  /** What of a robot is shown. */
  readonly part: Part
  change(part: Partial<ReturnType<typeof FILTERS.read>>): void
}

export function usePlace(now: number) {
  const { values, change } = useFilters(FILTERS)
  const { by = 'building', span = 'week', part = 'schedules', deviceId, night, only } = values
  const buildings = useCall('/task/buildings', {}, { enabled: by === 'building' })
  const device = useCall(
    '/device/selectDeviceByDeviceId',
    { deviceId: deviceId ?? 0 },
    { enabled: by === 'robot' && deviceId !== undefined },
  )
  const list = buildings.data?.list ?? []
  const building = values.building || list[0]?.building || ''
  const ofBuilding = list.find((entry) => entry.building === building)?.zone
  const zone = (by === 'robot' ? device.data?.zone : ofBuilding) || Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = wall(now, zone).day
  const day = values.day ?? today
  const place: Place = {
    ...{ by, building, buildings: list, deviceId, span, zone, today, change },
    days: span === 'week' ? weekOf(day, firstDayOf(LANGUAGES[currentLanguage()].format)) : [day],
    ...{ night, only, part },
  }
  return { place, buildings, device }
}

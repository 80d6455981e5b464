/** What the screen shows, as the address says it: of a building or a robot, a day or a week, and what stands apart alone. */

import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useFilters } from '@/widgets/list/use-filters'
import { isDay, wall, weekOf } from './calendar/days'
import { NOTES, type Note } from './calendar/week'

const NAMES = ['by', 'building', 'deviceId', 'span', 'day', 'only', 'part', 'night'] as const
type Name = (typeof NAMES)[number]

export const PARTS = ['schedules', 'tasks', 'groups', 'paths'] as const
type Part = (typeof PARTS)[number]

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
  change(part: Partial<Record<Name, string>>): void
}

export function usePlace(now: number) {
  const { filters, change, whole } = useFilters(NAMES)
  const by = filters.by === 'robot' ? 'robot' : 'building'
  const deviceId = whole(filters.deviceId)
  const buildings = useCall('/task/buildings', {}, { enabled: by === 'building' })
  const device = useCall(
    '/device/selectDeviceByDeviceId',
    { deviceId: deviceId ?? 0 },
    { enabled: by === 'robot' && deviceId !== undefined },
  )
  const list = buildings.data?.list ?? []
  const building = filters.building || list[0]?.building || ''
  const ofBuilding = list.find((entry) => entry.building === building)?.zone
  const zone = (by === 'robot' ? device.data?.zone : ofBuilding) || Intl.DateTimeFormat().resolvedOptions().timeZone
  const today = wall(now, zone).day
  const day = isDay(filters.day) ? filters.day : today
  const span = filters.span === 'day' ? 'day' : 'week'
  const place: Place = {
    ...{ by, building, buildings: list, deviceId, span, zone, today, change },
    days: span === 'week' ? weekOf(day) : [day],
    night: filters.night,
    only: NOTES.find((note) => note === filters.only),
    part: PARTS.find((part) => part === filters.part) ?? 'schedules',
  }
  return { place, buildings, device }
}

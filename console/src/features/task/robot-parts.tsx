/** What one robot keeps: its schedules. */
import { useOnline } from './robot'
import { ScheduleList } from './schedule/schedule-list'
import type { Listed } from './schedules'

interface Props {
  device: { readonly deviceId: number; readonly zone: string }
  onEdit(schedule: Listed, deviceId: number): void
}

export function RobotParts({ device, onEdit }: Props) {
  const { deviceId, zone } = device
  const online = useOnline(deviceId)
  return <ScheduleList {...{ deviceId, online, zone }} onEdit={(schedule) => onEdit(schedule, deviceId)} />
}

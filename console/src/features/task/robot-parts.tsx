/** What one robot keeps and does: its run, and its schedules, tasks, groups or paths, one at a time. */

import { Segment, Segments } from '@/shared/controls/segments'
import { useTranslation } from '@/shared/i18n/text'
import type { Command } from '@/shared/relay/contract'
import { useOnline } from '@/widgets/robot/online'
import { has } from '@/widgets/robot/robot'
import { PARTS, type Place } from './place'
import { GroupList } from './robot/group-list'
import type { Owner } from './robot/owner'
import { PathList } from './robot/path-list'
import { RunStrip } from './robot/run-strip'
import { TaskList } from './robot/task-list'
import { ScheduleList } from './schedule/schedule-list'
import type { Listed } from './schedules'

/** What the robot lists each part by. */
const LISTED = {
  schedules: 'timetask_list',
  tasks: 'task_list',
  groups: 'taskgroup_list',
  paths: 'dir_path_list',
} as const satisfies Record<Place['part'], Command>

interface Props {
  place: Place
  device: Omit<Owner, 'online'> & { readonly zone: string }
  onEdit(schedule: Listed, deviceId: number): void
}

export function RobotParts({ place, device, onEdit }: Props) {
  const { t } = useTranslation('task')
  const { deviceId, zone } = device
  const online = useOnline(deviceId)
  const owner = { ...device, online }
  const { part, change } = place
  const head = (
    <Segments label={t('parts')}>
      {PARTS.filter((name) => name === part || has(device, LISTED[name])).map((name) => (
        <Segment key={name} on={name === part} onChoose={() => change({ part: name })}>
          {t(name)}
        </Segment>
      ))}
    </Segments>
  )
  return (
    <>
      <RunStrip owner={owner} />
      {part === 'schedules' && (
        <ScheduleList {...{ head, owner, zone }} onEdit={(schedule) => onEdit(schedule, deviceId)} />
      )}
      {part === 'tasks' && <TaskList owner={owner} head={head} />}
      {part === 'groups' && <GroupList owner={owner} head={head} />}
      {part === 'paths' && <PathList owner={owner} head={head} />}
    </>
  )
}

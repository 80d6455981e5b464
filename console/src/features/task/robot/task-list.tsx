/** The tasks of a robot: what each cleans, how, and how long it takes. */
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Column, Writing } from '@/widgets/list/columns'
import { PlanningNote } from '@/widgets/task/planning'
import type { RobotTask } from '@/widgets/task/robot-task'
import type { Owner } from './owner'
import { TaskPicture } from './picture'
import { RobotList } from './robot-list'
import { TaskDialog } from './task-dialog'
import { useTasks } from './tasks'

const manner = (task: RobotTask, { t }: Writing) =>
  [
    task.path
      ? t('follows', { path: task.path })
      : t(task.task_mode === 'edge' ? 'task-mode-edge' : `route-${task.route}`),
    t(`mode-${task.clean_mode}`),
    t(task.speed === 'middle' ? 'taskform:speed-middle' : `speed-${task.speed}`),
  ].join(' · ')

const COLUMNS: readonly Column<RobotTask>[] = [
  { key: 'name', label: 'name', heading: true },
  { key: 'map_name', label: 'map' },
  { key: 'how', label: 'how', value: manner },
  {
    key: 'area',
    label: 'area-size',
    value: ({ reachable }) => reachable,
    cell: ({ reachable }, { area }) => (reachable ? area(reachable).text : ''),
  },
  {
    key: 'seconds',
    label: 'takes',
    value: ({ seconds }) => seconds,
    cell: (task, { span }) => (task.seconds ? span(task.seconds * 1000) : <PlanningNote task={task} />),
  },
]

export function TaskList({ owner, head }: { owner: Owner; head: ReactNode }) {
  const { t } = useTranslation('task')
  const { deviceId, online } = owner
  const read = useTasks(deviceId, online)
  const columns: readonly Column<RobotTask>[] = [
    {
      key: 'picture',
      label: 'picture',
      picture: true,
      value: () => '',
      cell: (task) => <TaskPicture {...{ deviceId, online, task }} label={t('picture-of', { name: task.name })} />,
    },
    ...COLUMNS,
  ]
  return (
    <RobotList
      tall
      {...{ owner, head, read }}
      words={{ list: t('tasks'), none: t('no-tasks'), add: t('taskform:new-task') }}
      name="robotTask"
      columns={columns}
      saves="task_add"
      form={(task, close) => <TaskDialog {...{ owner, task }} onClose={close} />}
      startable={(task) => task}
      renamed={({ name, map_name }, new_name) => [{ command: 'task_rename', payload: { name, map_name, new_name } }]}
      deleted={({ name, map_name }) => [{ command: 'task_del', payload: { name, map_name } }]}
    />
  )
}

/** The tasks of a robot: what each cleans, how, and how long it takes. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { RobotTask } from '@/widgets/task/robot-task'
import type { Owner } from './owner'
import { TaskPicture } from './picture'
import { RobotList } from './robot-list'
import { TaskDialog } from './task-dialog'
import { useTasks } from './tasks'

export function TaskList({ owner, head }: { owner: Owner; head: ReactNode }) {
  const { t } = useTranslation('task')
  const { area, span } = useFormats()
  const { deviceId, online } = owner
  const read = useTasks(deviceId, online)
  const how = (task: RobotTask) =>
    [
      task.path
        ? t('follows', { path: task.path })
        : t(task.task_mode === 'edge' ? 'task-mode-edge' : `route-${task.route}`),
      t(`mode-${task.clean_mode}`),
      t(`taskform:speed-${task.speed}`),
    ].join(' · ')
  return (
    <RobotList
      tall
      {...{ owner, head, read }}
      words={{ list: t('tasks'), none: t('no-tasks'), add: t('taskform:new-task') }}
      columns={[t('picture'), t('name'), t('map'), t('how'), t('area-size'), t('takes')]}
      cells={(task) => (
        <>
          <td>
            <TaskPicture {...{ deviceId, online, task }} label={t('picture-of', { name: task.name })} />
          </td>
          <th scope="row">{task.name}</th>
          <td>{task.map_name}</td>
          <td>{how(task)}</td>
          <td>{task.reachable ? area(task.reachable).text : ''}</td>
          <td>{task.seconds ? span(task.seconds * 1000) : ''}</td>
        </>
      )}
      form={(task, close) => <TaskDialog {...{ owner, task }} onClose={close} />}
      startable={(task) => task}
      renamed={({ name, map_name }, new_name) => [{ command: 'task_rename', payload: { name, map_name, new_name } }]}
      deleted={({ name, map_name }) => [{ command: 'task_del', payload: { name, map_name } }]}
    />
  )
}

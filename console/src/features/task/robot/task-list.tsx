/** The tasks of a robot: what each cleans, how, and how long it takes; started, changed, renamed and deleted here. */
import { IconCursorText, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useMay } from '@/shared/rpc/session'
import { Loading, Nothing } from '@/shared/ui/shown'
import { Table } from '@/shared/ui/table'
import { AddButton } from '@/widgets/add-button'
import { DeleteDialog } from '@/widgets/delete-dialog'
import { LineDeed } from '@/widgets/line-deed'
import type { RobotTask } from '@/widgets/task/robot-task'
import { Mirrored } from '../mirrored'
import { useTell } from '../robot-link'
import type { Owner } from './owner'
import { TaskPicture } from './picture'
import { RenameDialog } from './rename-dialog'
import styles from './robot.module.css'
import { StartDialog } from './start-dialog'
import { TaskDialog } from './task-dialog'
import { useTasks } from './tasks'

type Asked = { deed: 'start' | 'rename' | 'delete' | 'edit'; task: RobotTask } | { deed: 'new' }

export function TaskList({ owner, head }: { owner: Owner; head: ReactNode }) {
  const { t } = useTranslation('task')
  const { area, span } = useFormats()
  const { deviceId, online } = owner
  const mayEdit = useMay('device/taskList')
  const mayStart = useMay('device_control/index')
  const read = useTasks(deviceId, online)
  const { tell, busy, refused, forget } = useTell(deviceId)
  const [asked, ask] = useState<Asked>()
  const live = read.from === 'robot'
  const close = () => {
    forget()
    ask(undefined)
  }
  if (!read.rows)
    return (
      <>
        {head}
        {read.error ? <Nothing role="alert" why={t('not-readable')} /> : <Loading />}
      </>
    )
  const remove = async ({ name, map_name }: RobotTask) => {
    const order = { command: 'task_del', payload: { name, map_name }, label: t('delete-named', { name }) } as const
    if (await tell(order)) close()
  }
  const rename = async ({ name, map_name }: RobotTask, new_name: string) => {
    const label = t('rename-named', { name })
    if (await tell({ command: 'task_rename', payload: { name, map_name, new_name }, label })) close()
  }
  const how = (task: RobotTask) =>
    [
      task.path
        ? t('follows', { path: task.path })
        : t(task.task_mode === 'edge' ? 'task-mode-edge' : `route-${task.route}`),
      t(`mode-${task.clean_mode}`),
      t(`taskform:speed-${task.speed}`),
    ].join(' · ')
  return (
    <>
      <div className={styles.bar}>
        {head}
        {mayEdit && live && <AddButton onClick={() => ask({ deed: 'new' })}>{t('taskform:new-task')}</AddButton>}
      </div>
      <Mirrored read={read} />
      {read.rows.length === 0 ? (
        <Nothing why={t('no-tasks')} />
      ) : (
        <Table
          label={t('tasks')}
          className={styles.tall}
          head={['picture', 'name', 'map', 'how', 'area-size', 'takes'].map((column) => (
            <th key={column} scope="col">
              {t(column as 'name')}
            </th>
          ))}
        >
          {read.rows.map((task) => (
            <tr key={`${task.map_name}/${task.name}`}>
              <td>
                <TaskPicture {...{ deviceId, online, task }} label={t('picture-of', { name: task.name })} />
              </td>
              <th scope="row">{task.name}</th>
              <td>{task.map_name}</td>
              <td>{how(task)}</td>
              <td>{task.reachable ? area(task.reachable).text : ''}</td>
              <td>{task.seconds ? span(task.seconds * 1000) : ''}</td>
              <td data-deeds>
                {live && mayStart && (
                  <LineDeed
                    icon={IconPlayerPlay}
                    label={t('start')}
                    name={task.name}
                    onClick={() => ask({ deed: 'start', task })}
                  />
                )}
                {live && mayEdit && (
                  <>
                    <LineDeed
                      icon={IconPencil}
                      label={t('edit')}
                      name={task.name}
                      onClick={() => ask({ deed: 'edit', task })}
                    />
                    <LineDeed
                      icon={IconCursorText}
                      label={t('rename')}
                      name={task.name}
                      onClick={() => ask({ deed: 'rename', task })}
                    />
                    <LineDeed
                      danger
                      icon={IconTrash}
                      label={t('delete')}
                      name={task.name}
                      onClick={() => ask({ deed: 'delete', task })}
                    />
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {asked?.deed === 'start' && <StartDialog owner={owner} what={asked.task} onClose={close} />}
      {(asked?.deed === 'new' || asked?.deed === 'edit') && (
        <TaskDialog owner={owner} task={asked.deed === 'edit' ? asked.task : undefined} onClose={close} />
      )}
      {asked?.deed === 'rename' && (
        <RenameDialog
          name={asked.task.name}
          {...{ busy, problem: refused?.text, forget }}
          onRename={(name) => void rename(asked.task, name)}
          onClose={close}
        />
      )}
      {asked?.deed === 'delete' && (
        <DeleteDialog
          name={asked.task.name}
          deed={{ busy, problem: refused?.text, reset: forget }}
          onDelete={() => void remove(asked.task)}
          onClose={close}
        />
      )}
    </>
  )
}

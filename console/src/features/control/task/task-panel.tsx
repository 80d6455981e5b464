/** The robot's tasks on its loaded map: start one, see it on the map, remove it, or draw a new one. */
import { IconDoor, IconEye, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Popconfirm, Tooltip } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Loading, Nothing } from '@/shared/ui/query-view'
import { LinkButton } from '@/widgets/list/link-button'
import { mapPath } from '@/widgets/paths'
import { useRefusalText } from '@/widgets/refusal-text'
import { useWetFloor } from '@/widgets/robot/wet-floor'
import { PlanningNote, useAfterPlanning } from '@/widgets/task/planning'
import type { RobotTask } from '@/widgets/task/robot-task'
import { useRobotTasks } from '@/widgets/task/robot-tasks'
import type { ControlRow } from '../control-row'
import { useScope } from '../scope'

interface Props {
  deviceId: number
  row: ControlRow
  drawn: string | undefined
  onShow(task: RobotTask): void
  onNew(): void
  /** Missing where the floor has no rooms. */
  onRooms: (() => void) | undefined
  /** The floor is there and has no rooms: they are found, and corrected, in the editor. */
  roomless?: boolean
}

export function TaskPanel({ deviceId, row, drawn, onShow, onNew, onRooms, roomless = false }: Props) {
  const { t } = useTranslation('control')
  const queries = useQueryClient()
  const { inControl, actions } = useScope()
  const may = useMay('device/taskList')
  const mayEdit = useMay('device/maplist')
  const why = useRefusalText()
  const online = row.mode !== 'offline'
  const tasks = useRobotTasks(deviceId, row.mapName, online)
  useAfterPlanning(deviceId, { rows: tasks.data, refetch: tasks.refetch })
  const remove = async (name: string) => {
    const done = await actions.send({
      command: 'task_del',
      payload: { name, map_name: row.mapName },
      label: t('delete-named', { name }),
    })
    if (done) await queries.invalidateQueries({ queryKey: ['relay', deviceId, 'task_list'] })
  }
  const wet = useWetFloor(deviceId, [row.mapName])
  const reason = !inControl ? t('needs-control') : row.run ? t('task-runs') : ''
  return (
    <Panel
      title={t('tasks')}
      extra={
        may &&
        online &&
        row.mapName && (
          <Button size="small" icon={<IconPlus size={15} />} onClick={onNew}>
            {t('new-task')}
          </Button>
        )
      }
    >
      {may && online && onRooms && (
        <Row pad="m panel" rule="below">
          <Button block type="primary" ghost icon={<IconDoor size={16} />} onClick={onRooms}>
            {t('robot:clean-rooms')}
          </Button>
        </Row>
      )}
      {roomless && mayEdit && row.mapId !== null && (
        <Row wrap gap="m" align="center" justify="between" pad="m panel" rule="below">
          <Text as="span" size="small" tone="soft">
            {t('no-rooms')}
          </Text>
          <LinkButton size="small" icon={<IconDoor size={16} />} to={mapPath(row.mapId)}>
            {t('find-rooms')}
          </LinkButton>
        </Row>
      )}
      {!online && <Nothing why={t('tasks-offline')} />}
      {online && !row.mapName && <Nothing why={t('banner-map-not-selected')} />}
      {online && row.mapName && tasks.error && (
        <Nothing
          role="alert"
          why={why(tasks.error)}
          action={<Button onClick={() => tasks.refetch()}>{t('retry')}</Button>}
        />
      )}
      {online && row.mapName && tasks.isPending && <Loading />}
      {tasks.data?.length === 0 && <Nothing why={t('no-tasks')} />}
      {tasks.data && tasks.data.length > 0 && (
        <Row as="ul" stack rule="between">
          {tasks.data.map((task) => (
            <Row as="li" gap="xs" align="center" pad="m panel" key={task.name}>
              <Row as="span" stack grow>
                <Text as="b" cut>
                  {task.name}
                </Text>
                <Text as="span" size="small" tone="soft" cut>
                  {t(`route-${task.route}`)} · {t(`mode-${task.clean_mode}`)} · {t(`speed-${task.speed}`)}
                </Text>
                <PlanningNote task={task} />
              </Row>
              <Tooltip title={t('show-on-map')}>
                <Button
                  size="small"
                  type="text"
                  icon={<IconEye size={16} />}
                  aria-label={t('show-on-map-named', { name: task.name })}
                  aria-pressed={drawn === task.name}
                  onClick={() => onShow(task)}
                />
              </Tooltip>
              {may && (
                <Popconfirm
                  title={t('delete-confirm', { name: task.name })}
                  okText={t('delete')}
                  okButtonProps={{ danger: true }}
                  cancelText={t('cancel')}
                  onConfirm={() => remove(task.name)}
                >
                  <Button
                    size="small"
                    type="text"
                    icon={<IconTrash size={16} />}
                    aria-label={t('delete-named', { name: task.name })}
                  />
                </Popconfirm>
              )}
              <Start name={task.name} wet={wet} reason={reason} onStart={() => actions.start(task.name)} />
            </Row>
          ))}
        </Row>
      )}
    </Panel>
  )
}

interface StartProps {
  name: string
  /** The floor is still wet: who starts is asked first. */
  wet: boolean
  /** Why it cannot be started; '' when it can. */
  reason: string
  onStart(): void
}

function Start({ name, wet, reason, onStart }: StartProps) {
  const { t } = useTranslation('control')
  const [asking, setAsking] = useState(false)
  const button = (
    <Tooltip title={asking ? '' : reason || t('start-task')}>
      <Button
        size="small"
        icon={<IconPlayerPlay size={16} />}
        aria-label={t('start-named', { name })}
        disabled={reason !== ''}
        {...(!wet && { onClick: onStart })}
      />
    </Tooltip>
  )
  if (!wet) return button
  return (
    <Popconfirm
      title={t('wet-floor-warning')}
      okText={t('start-task')}
      cancelText={t('cancel')}
      disabled={reason !== ''}
      onConfirm={onStart}
      onOpenChange={setAsking} // a hint would lie over the question
    >
      {button}
    </Popconfirm>
  )
}

/** A new task, or a change of one, on any map that the robot has: drawn on its floor, with the route that it would take. */

import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { area } from '@/canvas/tools/area'
import { startPoint } from '@/canvas/tools/flag'
import type { Editor } from '@/canvas/tools/tool'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { relayCall } from '@/shared/relay/relay'
import { Modal } from '@/shared/ui/modal'
import { Loading, Nothing } from '@/shared/ui/query-view'
import { announceDraft } from '@/widgets/form/draft/use-draft'
import { Field } from '@/widgets/form/field'
import { MapStage } from '@/widgets/map/map-stage'
import { can } from '@/widgets/robot/robot'
import { type Drawing, useTaskDrawing } from '@/widgets/task/drawing'
import { type RobotTask, withTask } from '@/widgets/task/robot-task'
import { draftOfTask } from '@/widgets/task/task-draft'
import { type SavedTask, TaskForm } from '@/widgets/task/task-form'
import { useTell } from '../robot-link'
import { useMap, useMaps } from './floors'
import type { Owner } from './owner'
import { pngOf } from './picture'
import styles from './robot.module.css'
import { usePaths } from './tasks'

interface Props {
  owner: Owner
  task: RobotTask | undefined
  onClose(): void
}

export function TaskDialog({ owner, task, onClose }: Props) {
  const { t } = useTranslation('task')
  const { deviceId } = owner
  const maps = useMaps(deviceId)
  const list = maps.data?.list ?? []
  const [chosen, setChosen] = useState(task?.map_name)
  const name = chosen ?? (list.length === 1 ? list[0]?.name : undefined)
  return (
    <Modal
      open
      width={1080}
      footer={null}
      title={task ? t('taskform:edit-task', { name: task.name }) : t('taskform:new-task')}
      onCancel={onClose}
      onLeave={() => {
        if (name) announceDraft(draftOfTask(deviceId, name, task?.name))
        onClose()
      }}
    >
      {!task && list.length > 1 && (
        <Field label={t('map')}>
          <Select
            aria-label={t('map')}
            value={name ?? null}
            placeholder={t('choose-map')}
            onChange={setChosen}
            options={list.map((map) => ({ value: map.name, label: map.name }))}
          />
        </Field>
      )}
      {maps.isPending && <Loading />}
      {name && <Drawn key={name} owner={owner} mapName={name} task={task} onClose={onClose} />}
      {maps.isSuccess && list.length === 0 && <Nothing why={t('no-map-configuration')} />}
    </Modal>
  )
}

function Drawn({ owner, mapName, task, onClose }: Props & { mapName: string }) {
  const { t } = useTranslation('task')
  const { deviceId, online } = owner
  const floor = useMap(deviceId, mapName)
  const [drawing, setDrawing] = useState<Drawing>(task ? undefined : 'area')
  const [view, setView] = useState<MapView>()
  const base = useMemo(
    () => (floor.document && task ? withTask(floor.document, task) : floor.document),
    [floor.document, task],
  )
  const { map, committed, restore } = useTaskDrawing(base, setDrawing)
  const paths = usePaths(deviceId, online)
  const { tell, refused } = useTell(deviceId)
  const tool = useMemo(() => {
    if (drawing === 'area') return (editor: Editor) => area(editor)
    return drawing === 'start' ? startPoint : undefined
  }, [drawing])

  /** The picture follows the task; a task without one is a task as well. */
  const picture = async (saved: SavedTask) => {
    if (!floor.document || saved.areas.length === 0) return
    const png = pngOf(floor.document, saved)
    const payload = { name: saved.name, map_name: saved.map_name, png }
    await relayCall(deviceId, 'task_names_png_upload', payload).catch(() => undefined)
  }
  if (floor.missing || floor.closed) return <Nothing role="alert" why={t('no-map-configuration')} />
  if (!map) return <Loading />
  return (
    <div className={styles.drawn}>
      <div className={styles.stage}>
        <MapStage
          label={t('map-of-task', { map: mapName })}
          document={map}
          tool={tool}
          onCommit={committed}
          onView={setView}
        />
      </div>
      <div className={styles.form}>
        <TaskForm
          deviceId={deviceId}
          map={map}
          drawing={drawing}
          onDraw={setDrawing}
          onDrawn={restore}
          onForecast={(next) => view?.setPath(next && { ahead: next.path.flat(), driven: [] })}
          carpets={can(owner, 'carpet')}
          task={task}
          paths={(paths.rows ?? []).filter((path) => path.map_name === mapName).map((path) => path.name)}
          problem={refused?.text}
          onSave={async (payload) => {
            const label = t('save-named', { name: payload.name })
            const answer = await tell({ command: 'task_add', payload, label })
            if (answer) await picture(payload)
            return answer !== undefined
          }}
          onClose={onClose}
        />
      </div>
    </div>
  )
}

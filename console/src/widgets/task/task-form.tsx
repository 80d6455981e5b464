/**
 * A task: draw its area and start point on the map or choose the path that it follows, choose how it cleans, see the real
 * route and what it will cost, save it to the robot.
 */

import { IconCheck, IconFlag, IconPolygon } from '@tabler/icons-react'
import { Button, Input, Segmented, Select } from 'antd'
import { type ReactNode, useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { CommandPayload } from '@/shared/relay/contract'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { DraftNote } from '@/widgets/form/draft/draft-note'
import { useRefusalText } from '@/widgets/refusal-text'
import type { Drawing } from './drawing'
import { MannerFields } from './manner-fields'
import { drawn, type Forecast, type Lack, lacks, type RobotTask, useForecast } from './robot-task'
import { type DrawnTask, useTaskDraft } from './task-draft'
import styles from './task-form.module.css'

/** What the robot is sent of a task: all that a person draws and chooses. */
export type SavedTask = CommandPayload<'task_add'> & Pick<RobotTask, 'name' | 'map_name' | 'areas' | 'start'>

interface Props {
  deviceId: number
  /** The map with what is drawn on it. */
  map: MapDocument | undefined
  drawing: Drawing
  onDraw(part: Drawing): void
  onForecast(forecast: Forecast | undefined): void
  /** Puts on the map what was drawn before the form opened, or what the task has. */
  onDrawn(task: DrawnTask): void
  /** Whether the robot can clean them. */
  carpets: boolean
  /** The one that is changed; a new one else. */
  task?: RobotTask | undefined
  /** Hand-drawn paths of the map, of which a task may follow one. */
  paths?: readonly string[]
  /** What the robot refused. */
  problem?: string | undefined
  onSave(payload: SavedTask): Promise<boolean>
  onClose(): void
}

const LACK = {
  map: 'task-map-required',
  area: 'task-area-required',
  start: 'task-start-required',
  path: 'robot:no-path-points-required',
  edge: 'robot:no-map-beyond-edge',
  name: 'task-name-required',
} as const satisfies Record<Lack, string>

export function TaskForm({ deviceId, map, drawing, onDraw, onForecast, onDrawn, task, ...rest }: Props) {
  const { paths = [], carpets, problem, onSave, onClose } = rest
  const { t } = useTranslation('taskform')
  const why = useRefusalText()
  const draft = useTaskDraft(deviceId, map, task, onDrawn)
  const { name, manner, path, revision, change } = draft
  const [saving, setSaving] = useState(false)
  const marks = drawn(map)
  const missing = lacks(name, map, marks, path)
  const mapName = map?.name ?? ''
  const forecast = useForecast(deviceId, mapName, manner, marks, path)
  const current = forecast.data
  const [reported, setReported] = useState<Forecast>()
  if (current !== reported) {
    setReported(current)
    queueMicrotask(() => onForecast(current)) // the map is updated after this render, not in it
  }

  const save = async () => {
    setSaving(true)
    const where =
      path === undefined ? { areas: [{ points: marks.area }], start: marks.start } : { areas: [], start: null, path }
    const based = revision === undefined ? {} : { revision }
    const saved = await onSave({ name: name.trim(), map_name: mapName, ...where, ...manner, ...based })
    setSaving(false)
    if (!saved) return
    draft.end()
    onClose()
  }
  const step = (part: 'area' | 'start', done: boolean, icon: ReactNode, text: string) => (
    <Button
      block
      className={styles.step ?? ''}
      icon={done && drawing !== part ? <IconCheck size={16} /> : icon}
      aria-pressed={drawing === part}
      {...(drawing === part ? { color: 'primary' as const, variant: 'outlined' as const } : {})}
      onClick={() => onDraw(drawing === part ? undefined : part)}
    >
      {text}
    </Button>
  )
  return (
    <Panel title={task ? t('edit-task', { name: task.name }) : t('new-task')}>
      <Row
        as="form"
        stack
        gap="m"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (missing.length === 0 && current) void save()
        }}
      >
        <DraftNote savedAt={draft.savedAt} onDiscard={draft.discard} />
        {(paths.length > 0 || path !== undefined) && (
          <Segmented
            block
            size="small"
            aria-label={t('what-it-cleans')}
            value={path === undefined ? 'area' : 'path'}
            options={[
              { value: 'area', label: t('an-area') },
              { value: 'path', label: t('a-path') },
            ]}
            onChange={(manner) => {
              onDraw(undefined)
              change({ path: manner === 'path' ? '' : undefined })
            }}
          />
        )}
        {path === undefined ? (
          <>
            {step('area', marks.area.length > 0, <IconPolygon size={16} />, t('draw-area'))}
            {step('start', marks.start !== null, <IconFlag size={16} />, t('set-start'))}
            {drawing && (
              <Text size="small" tone="soft">
                {t(drawing === 'area' ? 'draw-area-how' : 'set-start-how')}
              </Text>
            )}
          </>
        ) : (
          <Select
            aria-label={t('a-path')}
            value={path || null}
            placeholder={t('a-path')}
            onChange={(value: string) => change({ path: value })}
            options={paths.map((value) => ({ value, label: value }))}
          />
        )}
        <label className={styles.field}>
          <span>{t('task-name')}</span>
          <Input
            value={name}
            maxLength={COMMAND_LIMITS.task_add.name.maxLength}
            disabled={task !== undefined}
            onChange={(event) => change({ name: event.target.value })}
          />
        </label>
        <MannerFields
          manner={manner}
          carpets={carpets}
          follows={path !== undefined}
          onChange={(value) => change({ manner: value })}
        />
        {current && <Cost forecast={current} />}
        {forecast.isFetching && (
          <Text size="small" tone="soft" role="status">
            {t('planning-way')}
          </Text>
        )}
        {forecast.error && (
          <Text size="small" tone="help" role="alert">
            {t('path-generation-failed', { why: why(forecast.error) ?? '' })}
          </Text>
        )}
        {problem && (
          <Text size="small" tone="help" role="alert">
            {problem}
          </Text>
        )}
        {missing.length > 0 && (
          <ul className={styles.lacks} aria-label={t('still-missing')}>
            {missing.map((lack) => (
              <li key={lack}>{t(LACK[lack])}</li>
            ))}
          </ul>
        )}
        <Row gap="m" justify="end">
          <Button
            onClick={() => {
              draft.end()
              onClose()
            }}
          >
            {t('cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={saving} disabled={missing.length > 0 || !current}>
            {t('save-task')}
          </Button>
        </Row>
      </Row>
    </Panel>
  )
}

function Cost({ forecast }: { forecast: Forecast }) {
  const { t } = useTranslation('taskform')
  const { area, unit, percent, span } = useFormats()
  return (
    <p className={styles.forecast}>
      {t('forecast', {
        area: area(forecast.reachable ?? forecast.area).text,
        length: unit(forecast.length, 'metre'),
        time: span(forecast.seconds * 1000),
        battery: percent(forecast.battery / 100),
        liquid: percent(forecast.liquid / 100),
      })}
    </p>
  )
}

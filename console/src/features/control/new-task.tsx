/** A new task: draw its area and start point on the map, choose how it cleans, see what it will cost, save it to the robot. */
import { IconCheck, IconFlag, IconPolygon } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Input, Segmented, Select, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapDocument } from '@/canvas/document'
import { useFormats } from '@/shared/i18n/format'
import { Panel } from '@/shared/ui/panel'
import { useRefusalText } from '@/widgets/refusal-text'
import { drawn, type Forecast, type Lack, lacks, useForecast } from './robot-tasks'
import { useScope } from './scope'
import styles from './tasks.module.css'

type Drawing = 'area' | 'start' | undefined

interface Props {
  /** The map with what is drawn on it. */
  map: MapDocument | undefined
  drawing: Drawing
  onDraw(what: Drawing): void
  onForecast(forecast: Forecast | undefined): void
  /** Whether the robot can clean them. */
  carpets: boolean
  onClose(): void
}

const LACK = {
  map: 'task-map-required',
  area: 'task-area-required',
  start: 'task-start-required',
  edge: 'robot:no-map-beyond-edge',
  name: 'task-name-required',
} as const satisfies Record<Lack, string>

export function NewTask({ map, drawing, onDraw, onForecast, carpets, onClose }: Props) {
  const { t } = useTranslation('control')
  const { deviceId, deeds } = useScope()
  const { area, unit, percent, span } = useFormats()
  const why = useRefusalText()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [how, setHow] = useState({ route: 'bow', clean_mode: 'clean', speed: 'middle', hard_floor: true })
  const [saving, setSaving] = useState(false)
  const marks = drawn(map)
  const missing = lacks(name, map, marks)
  const mapName = map?.name ?? ''
  const forecast = useForecast(deviceId, mapName, how.route, marks)
  const shown = forecast.data
  const [told, setTold] = useState<Forecast>()
  if (shown !== told) {
    setTold(shown)
    queueMicrotask(() => onForecast(shown)) // the map is told after this render, not in it
  }

  const save = async () => {
    setSaving(true)
    const payload = {
      name: name.trim(),
      map_name: mapName,
      areas: [{ points: marks.area }],
      start: marks.start,
      ...how,
    }
    const saved = await deeds.send({
      command: 'task_add',
      payload: { ...payload, task_mode: 'normal' },
      label: t('save-named', { name: name.trim() }),
    })
    setSaving(false)
    if (!saved) return
    await queries.invalidateQueries({ queryKey: ['relay', deviceId, 'task_list'] })
    onClose()
  }
  const step = (what: 'area' | 'start', done: boolean, icon: React.ReactNode, text: string) => (
    <Button
      block
      className={styles.step ?? ''}
      icon={done && drawing !== what ? <IconCheck size={16} /> : icon}
      aria-pressed={drawing === what}
      {...(drawing === what ? { color: 'primary' as const, variant: 'outlined' as const } : {})}
      onClick={() => onDraw(drawing === what ? undefined : what)}
    >
      {text}
    </Button>
  )
  const choice = (
    key: 'route' | 'clean_mode' | 'speed',
    label: string,
    options: { value: string; label: string }[],
  ) => (
    <div className={styles.field}>
      <span id={`new-task-${key}`}>{label}</span>
      <Segmented
        block
        size="small"
        aria-labelledby={`new-task-${key}`}
        value={how[key]}
        options={options}
        onChange={(value) => setHow({ ...how, [key]: value })}
      />
    </div>
  )
  return (
    <Panel title={t('new-task')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (missing.length === 0) void save()
        }}
      >
        {step('area', marks.area.length > 0, <IconPolygon size={16} />, t('draw-area'))}
        {step('start', marks.start !== null, <IconFlag size={16} />, t('set-start'))}
        {drawing && <p className={styles.remark}>{t(drawing === 'area' ? 'draw-area-how' : 'set-start-how')}</p>}
        <label className={styles.field}>
          <span>{t('task-name')}</span>
          <Input value={name} maxLength={64} onChange={(event) => setName(event.target.value)} />
        </label>
        {choice('route', t('route-shape'), [
          { value: 'bow', label: t('route-bow') },
          { value: 'spiral', label: t('route-spiral') },
        ])}
        <label className={styles.field}>
          <span>{t('cleaning-mode')}</span>
          <Select
            size="small"
            value={how.clean_mode}
            onChange={(clean_mode) => setHow({ ...how, clean_mode })}
            options={(['clean', 'carpet', 'quiet'] as const)
              .filter((mode) => mode !== 'carpet' || carpets)
              .map((value) => ({ value, label: t(`mode-${value}`) }))}
          />
        </label>
        {choice(
          'speed',
          t('speed'),
          (['low', 'middle', 'high'] as const).map((value) => ({ value, label: t(`speed-${value}`) })),
        )}
        <label className={styles.switch}>
          <span>{t('hard-floor')}</span>
          <Switch size="small" checked={how.hard_floor} onChange={(hard_floor) => setHow({ ...how, hard_floor })} />
        </label>
        {shown && (
          <p className={styles.forecast}>
            {t('forecast', {
              area: area(shown.area).text,
              length: unit(shown.length, 'metre'),
              time: span(shown.seconds * 1000),
              battery: percent(shown.battery / 100),
              liquid: unit(shown.liquid / 1000, 'litre', 1),
            })}
          </p>
        )}
        {forecast.error && (
          <p className={styles.problem} role="alert">
            {why(forecast.error)}
          </p>
        )}
        {missing.length > 0 && (
          <ul className={styles.lacks} aria-label={t('still-missing')}>
            {missing.map((lack) => (
              <li key={lack}>{t(LACK[lack])}</li>
            ))}
          </ul>
        )}
        <div className={styles.formFoot}>
          <Button onClick={onClose}>{t('back')}</Button>
          <Button type="primary" htmlType="submit" loading={saving} disabled={missing.length > 0}>
            {t('save-task')}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

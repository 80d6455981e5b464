/** How a task cleans and drives. What the robot cannot clean is not offered; edge mode and a path have no pattern. */
import { Segmented, Select, Switch } from 'antd'
import { useTranslation } from '@/shared/i18n/text'
import type { Manner } from './robot-task'
import styles from './task-form.module.css'

interface Props {
  manner: Manner
  carpets: boolean
  /** It follows a hand-drawn path. */
  follows: boolean
  onChange(manner: Manner): void
}

const MODES = ['clean', 'carpet', 'quiet'] as const
const SPEEDS = ['low', 'middle', 'high'] as const

export function MannerFields({ manner, carpets, follows, onChange }: Props) {
  const { t } = useTranslation('taskform')
  const choice = <K extends 'task_mode' | 'route' | 'speed'>(
    key: K,
    label: string,
    options: { value: Manner[K]; label: string }[],
  ) => (
    <div className={styles.field}>
      <span id={`task-${key}`}>{label}</span>
      <Segmented
        block
        size="small"
        aria-labelledby={`task-${key}`}
        value={manner[key]}
        options={options}
        onChange={(value) => onChange({ ...manner, [key]: value })}
      />
    </div>
  )
  return (
    <>
      {!follows &&
        choice('task_mode', t('task-mode'), [
          { value: 'normal', label: t('task-mode-normal') },
          { value: 'edge', label: t('task-mode-edge') },
        ])}
      {!follows &&
        manner.task_mode === 'normal' &&
        choice('route', t('route-shape'), [
          { value: 'bow', label: t('route-bow') },
          { value: 'spiral', label: t('route-spiral') },
        ])}
      <label className={styles.field}>
        <span>{t('cleaning-mode')}</span>
        <Select
          size="small"
          value={manner.clean_mode}
          onChange={(clean_mode) => onChange({ ...manner, clean_mode })}
          options={MODES.filter((mode) => mode !== 'carpet' || carpets).map((value) => ({
            value,
            label: t(`mode-${value}`),
          }))}
        />
      </label>
      {choice(
        'speed',
        t('speed'),
        SPEEDS.map((value) => ({ value, label: t(`speed-${value}`) })),
      )}
      <label className={styles.switch}>
        <span>{t('hard-floor')}</span>
        <Switch
          size="small"
          checked={manner.hard_floor}
          onChange={(hard_floor) => onChange({ ...manner, hard_floor })}
        />
      </label>
    </>
  )
}

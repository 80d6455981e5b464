/** The run under the map: how far, how long still, and the actions that go with it. Space pauses; only a button goes on. */
import { IconHome, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { Row, Text } from '@/shared/ui/layout'
import { EndTask, useFollowing } from '@/widgets/robot/end-task'
import type { ControlRow } from '../control-row'
import { ReleaseStop } from '../release-stop'
import { CommandButton, useScope, useWay } from '../scope'
import { LastRun } from './last-run'
import styles from './run.module.css'
import { StopNote } from './stop-note'

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, button, a, [role="dialog"], [role="slider"], [contenteditable]') !== null

export function RunDock({ row }: { row: ControlRow }) {
  const { t } = useTranslation('control')
  const { percent, area, span } = useFormats()
  const { deviceId, online, inControl, actions } = useScope()
  const way = useWay()
  const [ending, setEnding] = useState(false)
  const runs = row.run !== ''
  const end = way('task_cancel')
  const following = useFollowing(deviceId, row.run, online && end.available)
  const stopped = row.mode === 'emergency'
  const paused = row.mode === 'paused'
  const pausable = runs && !paused && !stopped && row.mode !== 'manual'

  useEffect(() => {
    if (!pausable) return
    const pause = (event: KeyboardEvent) => {
      if (event.key !== ' ' || typing(event.target)) return
      event.preventDefault()
      void actions.pause()
    }
    addEventListener('keydown', pause)
    return () => removeEventListener('keydown', pause)
  }, [pausable, actions])

  return (
    <Row as="section" wrap gap="xl" lines="m" align="center" pad="l panel" surface aria-label={t('run')}>
      <div className={styles.run}>
        <Text as="span" size="small" tone="soft">
          {runs ? row.taskName : t(row.planning > 0 ? 'taskform:planning-way' : 'no-run')}
        </Text>
        <StopNote deviceId={deviceId} row={row} />
        {runs && (
          <Text as="b" size="count" strong>
            {percent(row.progress)}
          </Text>
        )}
        {runs && (
          <Text as="span" size="small" tone="soft">
            {t('area-of', { cleaned: area(row.cleaned).text, planned: area(row.planned).text })}
            {row.remainingS > 0 && ' · '}
            {row.remainingS > 0 && t('left-about', { time: span(row.remainingS * 1000) })}
          </Text>
        )}
      </div>
      <div className={styles.lanes}>
        {runs ? <LaneProgress ratio={row.progress} label={row.taskName} /> : <LastRun />}
      </div>
      <Row wrap gap="m" className={styles.actions}>
        {stopped && <ReleaseStop type="primary" size="large" />}
        {pausable && !ending && (
          <CommandButton
            label={t('pause')}
            command="task_pause"
            type="primary"
            size="large"
            icon={<IconPlayerPause size={18} stroke={2} />}
            onClick={actions.pause}
          >
            <kbd>{t('space-key')}</kbd>
          </CommandButton>
        )}
        {runs && paused && !ending && (
          <CommandButton
            label={t('resume')}
            command="task_resume"
            type="primary"
            size="large"
            icon={<IconPlayerPlay size={18} stroke={2} />}
            onClick={actions.resume}
          />
        )}
        {runs && end.available && (
          <EndTask
            key={row.run}
            deviceId={deviceId}
            run={row.run}
            paused={paused || stopped}
            following={following}
            blocked={end.blocked}
            size="large"
            pause={actions.pause}
            resume={inControl ? actions.resume : undefined}
            end={(all) => (all ? actions.endAll() : actions.endThis(row.taskName))}
            onEnding={setEnding}
          />
        )}
        {row.mode === 'moving' && !runs ? (
          <CommandButton
            label={t('cancel-drive')}
            command="cancel_go_home"
            size="large"
            icon={<IconX size={16} />}
            onClick={actions.cancelDrive}
          />
        ) : (
          <CommandButton
            label={t('robot:to-charger')}
            command="go_home"
            size="large"
            icon={<IconHome size={17} />}
            onClick={actions.home}
            blocked={row.charging ? t('charging') : ''}
          />
        )}
      </Row>
    </Row>
  )
}

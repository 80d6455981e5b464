/** The run under the map: how far, how long still, and the actions that go with it. Space pauses and ends the pause. */
import { IconHome, IconPlayerPause, IconPlayerPlay, IconSquare, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { Row, Text } from '@/shared/ui/layout'
import type { ControlRow } from '../control-row'
import { CommandButton, useScope } from '../scope'
import styles from './run.module.css'

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, button, a, [role="dialog"], [role="slider"], [contenteditable]') !== null

export function RunDock({ row }: { row: ControlRow }) {
  const { t } = useTranslation('control')
  const { percent, area, span } = useFormats()
  const { inControl, actions } = useScope()
  const paused = row.mode === 'paused'
  const runs = row.run !== ''

  useEffect(() => {
    if (!runs) return
    const pause = (event: KeyboardEvent) => {
      if (event.key !== ' ' || typing(event.target)) return
      event.preventDefault()
      if (!paused) void actions.pause()
      else if (inControl) void actions.resume()
    }
    addEventListener('keydown', pause)
    return () => removeEventListener('keydown', pause)
  }, [runs, paused, inControl, actions])

  return (
    <Row as="section" wrap gap="xl" lines="m" align="center" pad="l panel" surface aria-label={t('run')}>
      <div className={styles.run}>
        <Text as="span" size="small" tone="soft">
          {runs ? row.taskName : t('no-run')}
        </Text>
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
      <div className={styles.lanes}>{runs && <LaneProgress ratio={row.progress} label={row.taskName} />}</div>
      <Row wrap gap="m" className={styles.actions}>
        {runs && !paused && row.mode !== 'manual' && (
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
        {runs && paused && (
          <CommandButton
            label={t('resume')}
            command="task_resume"
            type="primary"
            size="large"
            icon={<IconPlayerPlay size={18} stroke={2} />}
            onClick={actions.resume}
          >
            <kbd>{t('space-key')}</kbd>
          </CommandButton>
        )}
        {runs && (
          <CommandButton
            label={t('stop-task')}
            command="task_cancel_one"
            size="large"
            icon={<IconSquare size={16} />}
            onClick={() => actions.stop(row.taskName)}
          />
        )}
        {runs && (
          <CommandButton
            label={t('cancel-task')}
            command="task_cancel"
            size="large"
            type="text"
            icon={<IconX size={16} />}
            onClick={actions.cancel}
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
            label={t('to-charger')}
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

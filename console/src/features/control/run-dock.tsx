/** The run under the map: how far, how long still, and the deeds that go with it. Space pauses. */
import { IconHome, IconPlayerPause, IconPlayerPlay, IconSquare } from '@tabler/icons-react'
import { Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { LiveRow } from '@/shared/live/frames'
import { LaneProgress } from '@/shared/ui/lanes'
import styles from './control.module.css'
import type { Deeds } from './deeds'

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, button, a, [role="dialog"], [contenteditable]') !== null

export function RunDock({ row, mine, deeds }: { row: LiveRow; mine: boolean; deeds: Deeds }) {
  const { t } = useTranslation('control')
  const { percent, area, span } = useFormats()
  const paused = row.mode === 'paused'
  const runs = row.run !== ''

  useEffect(() => {
    if (!runs) return
    const pause = (event: KeyboardEvent) => {
      if (event.key !== ' ' || typing(event.target)) return
      event.preventDefault()
      if (!paused) void deeds.pause()
      else if (mine) void deeds.resume()
    }
    addEventListener('keydown', pause)
    return () => removeEventListener('keydown', pause)
  }, [runs, paused, mine, deeds])

  const locked = mine ? {} : { disabled: true, title: t('needs-control') }
  return (
    <section className={styles.dock} aria-label={t('run')}>
      <div className={styles.run}>
        <span className={styles.remark}>{runs ? row.taskName : t('no-run')}</span>
        {runs && <b className={styles.percent}>{percent(row.progress)}</b>}
        {runs && (
          <span className={styles.remark}>
            {t('area-of', { cleaned: area(row.cleaned).text, planned: area(row.planned).text })}
            {row.remainingS > 0 && ' · '}
            {row.remainingS > 0 && t('left-about', { time: span(row.remainingS * 1000) })}
          </span>
        )}
      </div>
      <div className={styles.lanes}>{runs && <LaneProgress ratio={row.progress} label={row.taskName} />}</div>
      <div className={styles.deeds}>
        {runs && !paused && (
          <Button type="primary" size="large" icon={<IconPlayerPause size={18} stroke={2} />} onClick={deeds.pause}>
            {t('pause')} <kbd>{t('space-key')}</kbd>
          </Button>
        )}
        {runs && paused && (
          <Button
            type="primary"
            size="large"
            icon={<IconPlayerPlay size={18} stroke={2} />}
            onClick={deeds.resume}
            {...locked}
          >
            {t('resume')}
          </Button>
        )}
        {runs && (
          <Button size="large" icon={<IconSquare size={16} />} onClick={deeds.cancel}>
            {t('stop-task')}
          </Button>
        )}
        <Button
          size="large"
          icon={<IconHome size={17} />}
          onClick={deeds.home}
          {...locked}
          {...(row.charging && { disabled: true })}
        >
          {t('to-charger')}
        </Button>
      </div>
    </section>
  )
}

/** The control lock: who may move the robot and until when. Everybody may watch, and stop it. */
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { Button, Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { Panel } from '@/shared/ui/panel'
import { Loading } from '@/shared/ui/shown'
import styles from './control.module.css'
import { CONTROL_MINUTES, type Lock } from './lock'

const MINUTE_MS = 60_000

const left = (ms: number) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export function LockCard({ lock, now }: { lock: Lock; now: number }) {
  const { t } = useTranslation('control')
  const { time } = useFormats()
  const rest = lock.until - now
  if (!lock.known)
    return (
      <Panel className={styles.lock}>
        <Loading />
      </Panel>
    )
  if (!lock.owner)
    return (
      <Panel className={styles.lock}>
        <div className={styles.lockHead}>
          <IconLockOpen size={18} aria-hidden="true" />
          <b>{t('nobody-controls')}</b>
        </div>
        <p className={styles.remark}>{t('take-to-move')}</p>
        <Button type="primary" block loading={lock.busy} onClick={lock.take}>
          {t('take-control', { count: CONTROL_MINUTES })}
        </Button>
      </Panel>
    )
  return (
    <Panel className={`${styles.lock} ${lock.mine ? styles.held : ''}`}>
      <div className={styles.lockHead}>
        <IconLock size={18} aria-hidden="true" />
        <b>{lock.mine ? t('you-control') : t('other-controls', { name: lock.owner })}</b>
        {lock.mine && (
          <bdi className={styles.left} dir="ltr" role="timer" aria-label={t('time-left')}>
            {left(rest)}
          </bdi>
        )}
      </div>
      {lock.mine && (
        <Progress
          percent={(rest / (CONTROL_MINUTES * MINUTE_MS)) * 100}
          showInfo={false}
          size={['100%', 4]}
          aria-label={t('time-left')}
        />
      )}
      <div className={styles.lockFoot}>
        <span className={styles.remark}>
          {lock.mine ? t('others-watch', { name: lock.owner }) : t('until', { time: time(lock.until) })}
        </span>
        {lock.mine && (
          <>
            <Button size="small" loading={lock.busy} onClick={lock.take}>
              {t('extend')}
            </Button>
            <Button size="small" loading={lock.busy} onClick={lock.release}>
              {t('release')}
            </Button>
          </>
        )}
      </div>
    </Panel>
  )
}

/** The control lock: who may move the robot and until when. Everybody may watch, and stop it. */
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { Button, Progress } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { Loading } from '@/shared/ui/query-view'
import { Duration } from './duration'
import { type Lock, type Minutes, share } from './lock'
import styles from './lock.module.css'
import { TakeOver } from './take-over'

const TAKE_OVER = 'device_control/index/drive'
const USUAL = 30 // minutes

const left = (ms: number) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  const hours = Math.floor(seconds / 3600)
  return hours > 0 ? [hours, ...parts].join(':') : parts.join(':').replace(/^0/, '')
}

interface Props {
  deviceId: number
  lock: Lock
  now: number
}

export function LockCard({ deviceId, lock, now }: Props) {
  if (!lock.known)
    return (
      <Panel className={styles.lock}>
        <Loading />
      </Panel>
    )
  if (!lock.owner) return <Free lock={lock} />
  return lock.inControl ? <OwnLock lock={lock} now={now} /> : <Others deviceId={deviceId} lock={lock} />
}

function Free({ lock }: { lock: Lock }) {
  const { t } = useTranslation('control')
  const [minutes, setMinutes] = useState<Minutes>(USUAL)
  return (
    <Panel className={styles.lock}>
      <Row gap="m" align="center">
        <IconLockOpen size={18} aria-hidden="true" />
        <b>{t('nobody-controls')}</b>
      </Row>
      <Text size="small" tone="soft">
        {t('take-to-move')}
      </Text>
      <Row gap="m" align="center">
        <Button type="primary" loading={lock.busy} onClick={() => lock.take(minutes)}>
          {t('take-control')}
        </Button>
        <Duration value={minutes} onChange={setMinutes} />
      </Row>
    </Panel>
  )
}

function OwnLock({ lock, now }: { lock: Lock; now: number }) {
  const { t } = useTranslation('control')
  const [minutes, setMinutes] = useState<Minutes>(USUAL)
  const part = share(lock.until - now)
  return (
    <Panel className={`${styles.lock} ${styles.held}`}>
      <Row gap="m" align="center">
        <IconLock size={18} aria-hidden="true" />
        <b>{t('you-control')}</b>
        {part === undefined ? (
          <Text as="span" size="title" strong end>
            {t('long-term')}
          </Text>
        ) : (
          <Text as="span" size="title" strong end role="timer" aria-label={t('time-left')}>
            <bdi dir="ltr">{left(lock.until - now)}</bdi>
          </Text>
        )}
      </Row>
      {part !== undefined && (
        <Progress percent={part * 100} showInfo={false} size={['100%', 4]} aria-label={t('time-left')} />
      )}
      <Text size="small" tone="soft">
        {t('others-watch', { name: lock.owner })}
      </Text>
      <Row gap="m" align="center">
        <Duration small value={minutes} onChange={setMinutes} />
        <Button size="small" loading={lock.busy} onClick={() => lock.take(minutes)}>
          {t('extend')}
        </Button>
        <Button size="small" loading={lock.busy} onClick={lock.release}>
          {t('release')}
        </Button>
      </Row>
    </Panel>
  )
}

function Others({ deviceId, lock }: { deviceId: number; lock: Lock }) {
  const { t } = useTranslation('control')
  const { time } = useFormats()
  const may = useMay(TAKE_OVER)
  const [taking, setTaking] = useState(false)
  const endless = share(lock.until - Date.now()) === undefined
  return (
    <Panel className={styles.lock}>
      <Row gap="m" align="center">
        <IconLock size={18} aria-hidden="true" />
        <b>{t('other-controls', { name: lock.owner })}</b>
      </Row>
      <Text size="small" tone="soft">
        {endless ? t('until-released') : t('until', { time: time(lock.until) })}
        {lock.reason && ` · ${lock.reason}`}
      </Text>
      {lock.asker && (
        <Text size="small" tone="soft" role="status">
          {lock.ownRequest
            ? t('you-asked', { time: time(lock.requestedAt) })
            : t('asked-for-control', { name: lock.asker, time: time(lock.requestedAt) })}
        </Text>
      )}
      <Row gap="m" align="center">
        <Button size="small" loading={lock.busy} disabled={lock.ownRequest} onClick={lock.ask}>
          {t('ask-control')}
        </Button>
        {may && (
          <Button size="small" onClick={() => setTaking(true)}>
            {t('take-over')}
          </Button>
        )}
      </Row>
      {taking && <TakeOver deviceId={deviceId} owner={lock.owner} onClose={() => setTaking(false)} />}
    </Panel>
  )
}

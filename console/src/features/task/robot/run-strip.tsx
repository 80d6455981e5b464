/** What the robot works at now and what follows; paused and ended here, as on its control page. */
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { LiveRow } from '@/shared/live/frames'
import { useNow, useRobotPart } from '@/shared/live/live'
import { LaneProgress } from '@/shared/marks/lanes'
import { StateTag } from '@/shared/marks/state-mark'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { LinkButton } from '@/widgets/list/link-button'
import { controlPath } from '@/widgets/paths'
import { EndTask, useFollowing } from '@/widgets/robot/end-task'
import { useHolder } from '@/widgets/robot/holder'
import { useRefusalNotice, useTell } from '../robot-link'
import type { Owner } from './owner'
import styles from './robot.module.css'

type Run = Pick<LiveRow, 'mode' | 'run' | 'taskName' | 'progress'>

const runOf = ({ mode, run, taskName, progress }: LiveRow): Run => ({
  ...{ mode, run, taskName },
  progress: Math.round(progress * 100) / 100,
})

export function RunStrip({ owner }: { owner: Owner }) {
  const row = useRobotPart(owner.deviceId, runOf)
  if (!row?.run) return null
  return <Running owner={owner} row={row} />
}

function Running({ owner, row }: { owner: Owner; row: Run }) {
  const { t } = useTranslation('task')
  const { percent, list } = useFormats()
  const { deviceId } = owner
  const now = useNow()
  const may = useMay('device_control/index')
  const { inControl } = useHolder(deviceId, now)
  const { tell, busy, refused } = useTell(deviceId)
  const following = useFollowing(deviceId, row.run, owner.online && may)
  const [ending, setEnding] = useState(false)
  const [ended, setEnded] = useState(false)
  useRefusalNotice(refused, ended ? t('robot:end-failed') : undefined)
  const paused = row.mode === 'paused'
  const fills = row.mode === 'charging' // by itself, in the middle of a run: battery or tank were low
  const orders = {
    pause: { command: 'task_pause', label: t('pause') },
    resume: { command: 'task_resume', label: t('resume') },
    this: { command: 'task_cancel_one', payload: { name: row.taskName }, label: t('stop-task') },
    all: { command: 'task_cancel', label: t('stop-task') },
  } as const
  const renderButton = (order: keyof typeof orders, icon: React.ReactNode, blocked = '') => (
    <Button
      key={order}
      icon={icon}
      disabled={busy || !owner.online || blocked !== ''}
      title={blocked}
      onClick={() => {
        setEnded(false)
        void tell(orders[order])
      }}
    >
      {orders[order].label}
    </Button>
  )
  return (
    <Panel>
      <Row as="section" wrap gap="xl" lines="m" align="center" className={styles.strip} aria-label={t('running-now')}>
        <StateTag row={row} />
        <b>{row.taskName}</b>
        <div>
          <LaneProgress ratio={row.progress} label={row.taskName} />
        </div>
        <span>{percent(row.progress)}</span>
        {fills && <span>{t('goes-on-after-charging')}</span>}
        {following.length > 0 && <span>{t('follows-after', { names: list(following) })}</span>}
        {may && !paused && !ending && renderButton('pause', <IconPlayerPause size={16} />)}
        {may &&
          paused &&
          !ending &&
          renderButton('resume', <IconPlayerPlay size={16} />, inControl ? '' : t('needs-control'))}
        {may && (
          <EndTask
            key={row.run}
            deviceId={deviceId}
            run={row.run}
            paused={paused}
            following={following}
            blocked={owner.online ? '' : t('robot-offline')}
            pause={() => tell(orders.pause)}
            resume={inControl ? () => tell(orders.resume) : undefined}
            end={(all) => {
              setEnded(true)
              return tell(all ? orders.all : orders.this)
            }}
            onEnding={setEnding}
          />
        )}
        {may && <LinkButton to={controlPath(owner)}>{t('remote-control')}</LinkButton>}
      </Row>
    </Panel>
  )
}

/** What the robot works at now and what follows; paused and ended here, as on its control page. */
import { IconPlayerPause, IconPlayerPlay, IconSquare, IconX } from '@tabler/icons-react'
import { Button } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { LiveRow } from '@/shared/live/frames'
import { useNow, useRobotPart } from '@/shared/live/live'
import { LaneProgress } from '@/shared/marks/lanes'
import { StateTag } from '@/shared/marks/state-mark'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { LinkButton } from '@/widgets/list/link-button'
import { controlPath } from '@/widgets/paths'
import { useHolder } from '@/widgets/robot/holder'
import { useRefusalNotice, useTell } from '../robot-link'
import type { Owner } from './owner'
import styles from './robot.module.css'

const EVERY_MS = 5000

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
  const { percent } = useFormats()
  const { deviceId } = owner
  const now = useNow()
  const may = useMay('device_control/index')
  const { inControl } = useHolder(deviceId, now)
  const { tell, busy, refused } = useTell(deviceId)
  const work = useRobotAnswer(deviceId, {
    key: ['task_state', row.run],
    read: (signal) => relayCall(deviceId, 'task_state', {}, signal),
    enabled: owner.online && may,
    everyMs: EVERY_MS,
  })
  useRefusalNotice(refused)
  const paused = row.mode === 'paused'
  const fills = row.mode === 'charging' // by itself, in the middle of a run: battery or tank were low
  const follows = work.data?.follows.map(({ name }) => name) ?? []
  const orders = {
    pause: { command: 'task_pause', label: t('pause') },
    resume: { command: 'task_resume', label: t('resume') },
    this: { command: 'task_cancel_one', payload: { name: row.taskName }, label: t('stop-task') },
    all: { command: 'task_cancel', label: t('cancel-task') },
  } as const
  const renderButton = (order: keyof typeof orders, icon: React.ReactNode, blocked = '') => (
    <Button
      key={order}
      icon={icon}
      disabled={busy || !owner.online || blocked !== ''}
      title={blocked}
      onClick={() => void tell(orders[order])}
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
        {follows.length > 0 && <span>{t('follows-after', { names: follows.join(', ') })}</span>}
        {may && !paused && renderButton('pause', <IconPlayerPause size={16} />)}
        {may && paused && renderButton('resume', <IconPlayerPlay size={16} />, inControl ? '' : t('needs-control'))}
        {may && renderButton('this', <IconSquare size={15} />)}
        {may && renderButton('all', <IconX size={16} />)}
        {may && <LinkButton to={controlPath(owner)}>{t('remote-control')}</LinkButton>}
      </Row>
    </Panel>
  )
}

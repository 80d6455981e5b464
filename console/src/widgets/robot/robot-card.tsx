/**
 * One robot wherever its mark stands, on a floor or on the map of the world: what it does, and what can be done with it
 * at once. A command that the robot does not have, or the account may not give, has no button.
 */
import { IconHome, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useShow } from '@/shared/live/live'
import { Battery } from '@/shared/marks/battery'
import { LaneProgress } from '@/shared/marks/lanes'
import { MODE_TONE } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { COMMANDS } from '@/shared/relay/commands'
import type { Command } from '@/shared/relay/contract'
import { command } from '@/shared/relay/life'
import { useCall } from '@/shared/rpc/hooks'
import { useMay, useSession } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { QueryView } from '@/shared/ui/query-view'
import { useCause } from '../alarm/cause'
import { OpenAlarms } from '../alarm/open-alarms'
import { useAttempt } from '../form/use-attempt'
import { LinkButton } from '../list/link-button'
import { controlPath, infoPath } from '../paths'
import { controlled } from './controlled'
import { has, type Listed, type Robot, useRobot } from './robot'
import styles from './robot-card.module.css'

export function RobotCard({ deviceId }: { deviceId: number }) {
  useShow({ robots: [deviceId] })
  const robot = useCall('/device/selectDeviceByDeviceId', { deviceId })
  return (
    <Row as="article" stack gap="m" className={styles.card}>
      <QueryView query={robot}>{(listed) => <Known listed={listed} />}</QueryView>
    </Row>
  )
}

function Known({ listed }: { listed: Listed }) {
  const { t } = useTranslation('robot')
  const { percent } = useFormats()
  const cause = useCause()
  const mayInfo = useMay('device/info')
  const robot = useRobot(listed)
  const { mode, run, taskName, progress } = robot
  return (
    <>
      <Row as="header" gap="m" align="center">
        <StateMark state={mode} size={20} />
        <Text as="h3" size="control" grow cut>
          <bdi>{mayInfo ? <Link to={infoPath(robot.deviceId)}>{robot.deviceCode}</Link> : robot.deviceCode}</bdi>
        </Text>
        {mode !== 'offline' && <Battery percent={robot.battery} />}
      </Row>
      <p style={{ color: `var(--state-${MODE_TONE[mode]})` }}>{cause(robot)}</p>
      <OpenAlarms
        deviceId={robot.deviceId}
        besides={mode === 'help' ? [robot.help] : mode === 'offline' ? [mode] : []}
      />
      {run !== '' && (
        <>
          <Text size="small" tone="quiet" cut>
            <bdi>{taskName}</bdi>
          </Text>
          <Row as="p" gap="m" align="center">
            <LaneProgress ratio={progress} label={t('progress')} />
            <b>{percent(progress)}</b>
          </Row>
        </>
      )}
      <Orders robot={robot} />
    </>
  )
}

/** Pausing is for whoever sees the robot; what makes it move takes control for as long as the command takes. */
function Orders({ robot }: { robot: Robot }) {
  const { t } = useTranslation('robot')
  const attempt = useAttempt()
  const keys = useSession()?.permissionKeys
  const mayControl = useMay('device_control/index')
  const { deviceId, mode, run, charging } = robot
  const online = mode !== 'offline'
  const may = (name: Command) => online && has(robot, name) && keys?.[COMMANDS[name].needs] === true
  const send = (name: 'task_pause' | 'task_resume' | 'go_home', label: string) => {
    const order = () => command(deviceId, { command: name, label })
    void attempt.run(() => (COMMANDS[name].locked ? controlled(deviceId, order) : order()))
  }
  const running = run !== '' && mode !== 'emergency' && mode !== 'manual'
  const paused = mode === 'paused'
  return (
    <>
      <Row wrap gap="s">
        {running && !paused && may('task_pause') && (
          <Button
            size="small"
            icon={<IconPlayerPause size={15} />}
            loading={attempt.busy}
            onClick={() => send('task_pause', t('pause'))}
          >
            {t('pause')}
          </Button>
        )}
        {running && paused && may('task_resume') && (
          <Button
            size="small"
            icon={<IconPlayerPlay size={15} />}
            loading={attempt.busy}
            onClick={() => send('task_resume', t('resume'))}
          >
            {t('resume')}
          </Button>
        )}
        {!charging && mode !== 'emergency' && may('go_home') && (
          <Button
            size="small"
            icon={<IconHome size={15} />}
            loading={attempt.busy}
            onClick={() => send('go_home', t('to-charger'))}
          >
            {t('to-charger')}
          </Button>
        )}
        {mayControl && online && (
          <LinkButton size="small" type={mode === 'help' ? 'primary' : 'default'} to={controlPath(robot)}>
            {t('control')}
          </LinkButton>
        )}
      </Row>
      {attempt.problem && (
        <Text size="small" tone="help" role="alert">
          {attempt.problem}
        </Text>
      )}
    </>
  )
}

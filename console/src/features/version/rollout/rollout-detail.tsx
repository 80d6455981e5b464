/** A roll-out: how many robots run it, its steps beside each other, each robot with its state, and what can be done. */
import { IconArrowBackUp, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { Button } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { LaneProgress } from '@/shared/marks/lanes'
import { StateMark } from '@/shared/marks/state-mark'
import { Tag } from '@/shared/marks/tag'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { QueryView } from '@/shared/ui/query-view'
import { Problem, Warning } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import { ConfirmDialog } from '../confirm-dialog'
import type { Rollout, RolloutRobot } from '../rows'
import { Health } from './health'
import { ROBOT_STATES, RobotState } from './robot-state'
import styles from './rollout.module.css'
import { stateOf } from './states'

const OVER: ReadonlySet<RolloutRobot['state']> = new Set(['confirmed', 'fell_back', 'failed', 'cancelled'])

const COLUMNS: readonly Column<RolloutRobot>[] = [
  { key: 'deviceCode', label: 'common:robot', heading: true },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true },
  { key: 'step', label: 'step', number: true },
  {
    key: 'state',
    label: 'state',
    value: ({ state }, { t }) => t(ROBOT_STATES[state][1]),
    cell: (robot) => <RobotState robot={robot} />,
  },
  { key: 'former', label: 'former', ltr: true },
  { key: 'target', label: 'target', ltr: true },
  { key: 'updateTime', label: 'updated', cell: ({ updateTime }, { dateTime }) => dateTime(Date.parse(updateTime)) },
]

/** With the runs that the roll-out waits for, where it waits for some. */
const columnsOf = ({ healthRuns }: Rollout): readonly Column<RolloutRobot>[] =>
  healthRuns === 0
    ? COLUMNS
    : [
        ...COLUMNS,
        {
          key: 'runs',
          label: 'runs-since',
          value: ({ runs }) => runs ?? -1,
          cell: ({ runs }, { t }) => (runs === null ? '–' : t('rollout:runs-of', { done: runs, all: healthRuns })),
        },
      ]

interface Props {
  id: number
  onOpen(id: number): void
}

export function RolloutDetail({ id, onOpen }: Props) {
  const { t } = useTranslation('rollout')
  const query = useCall('/version/selectRollout', { id }, { keep: true })
  return (
    <QueryView query={query}>
      {(rollout) => (
        <>
          <Head rollout={rollout} onOpen={onOpen} />
          <Steps rollout={rollout} />
          <Health query={query} />
          <Panel title={t('robots')}>
            <ShortList
              texts="rollout"
              label={t('robots')}
              columns={columnsOf(rollout)}
              query={query}
              idOf={({ deviceId }) => deviceId}
            />
          </Panel>
        </>
      )}
    </QueryView>
  )
}

function Head({ rollout, onOpen }: { rollout: Rollout; onOpen(id: number): void }) {
  const { t } = useTranslation('rollout')
  const { version, kind, confirmed: done, robots: all } = rollout
  const [tone, word] = stateOf(rollout)
  return (
    <Panel>
      <Row stack gap="m" pad="panel">
        <Row wrap gap="m" align="center">
          <Text as="h2" size="title" strong>
            {kind === 'back' ? t('back', { name: rollout.name }) : rollout.name}
          </Text>
          <Tag tone={tone}>{t(word)}</Tag>
          <Row wrap gap="s" end>
            <Actions rollout={rollout} onOpen={onOpen} />
          </Row>
        </Row>
        {rollout.reason === 'failure_share' && <Warning>{t('too-many-failed')}</Warning>}
        {rollout.reason === 'health_worse' && <Warning>{t('health-worse')}</Warning>}
        {rollout.reason === 'health_late' && <Warning>{t('health-late')}</Warning>}
        {rollout.reason === 'rolled_back' && <Text tone="quiet">{t('rolled-back')}</Text>}
        <Row wrap gap="m" align="center">
          <Text strong>{t(kind === 'back' ? 'gone-back' : 'on-version', { done, all, version })}</Text>
          <Row grow>
            <LaneProgress ratio={done / all} label={rollout.name} />
          </Row>
        </Row>
      </Row>
    </Panel>
  )
}

/** Each step with its robots, the present one marked. */
function Steps({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('rollout')
  const { percent } = useFormats()
  const steps = [...new Set(rollout.list.map(({ step }) => step))].sort((a, b) => a - b)
  if (rollout.kind === 'back') return null
  return (
    <div className={styles.steps}>
      {steps.map((step) => {
        const robots = rollout.list.filter((robot) => robot.step === step)
        const over = robots.filter(({ state }) => OVER.has(state)).length
        const group = rollout.stepGroups[step - 1]
        const share = percent((rollout.steps[step - 1] ?? 0) / 100)
        const name = step === 0 ? t('test-devices') : group === undefined ? t('up-to', { share }) : group || t('rest')
        const present = rollout.state === 'running' && step === rollout.step
        return (
          <section key={step} className={styles.step} aria-label={name} data-present={present || undefined}>
            <Row stack gap="s" pad="m">
              <Text as="h3" strong>
                {name}
              </Text>
              <LaneProgress ratio={over / robots.length} label={name} />
              <Text size="small" tone="quiet">
                {step > rollout.step ? t('later') : t('devices-over', { done: over, all: robots.length })}
                {present && rollout.reason === 'health_runs' && ` · ${t('waits-for-health')}`}
              </Text>
              <ul className={styles.robots}>
                {robots.map((robot) => (
                  <li key={robot.deviceId}>
                    <StateMark state={ROBOT_STATES[robot.state][0]} size={20} label={t(ROBOT_STATES[robot.state][1])} />
                    <bdi dir="ltr">{robot.deviceSerialNumber}</bdi>
                  </li>
                ))}
              </ul>
            </Row>
          </section>
        )
      })}
    </div>
  )
}

function Actions({ rollout, onOpen }: { rollout: Rollout; onOpen(id: number): void }) {
  const { t } = useTranslation('rollout')
  const [dialog, setDialog] = useState<'back' | 'cancel'>()
  const change = useAction('/version/changeRollout', t('common:roll-out'))
  const back = useAction('/version/rollBack', t('common:roll-back'))
  const { id, name, state } = rollout
  const former = rollout.list.filter((robot) => robot.state === 'confirmed' && robot.former).length
  const close = () => setDialog(undefined)
  return (
    <>
      {state === 'running' && (
        <Button
          icon={<IconPlayerPause size={16} stroke={1.75} />}
          loading={change.busy}
          onClick={() => void change.run({ id, action: 'pause' }, close)}
        >
          {t('common:pause')}
        </Button>
      )}
      {state === 'paused' && (
        <Button
          type="primary"
          icon={<IconPlayerPlay size={16} stroke={1.75} data-flip />}
          loading={change.busy}
          onClick={() => void change.run({ id, action: 'resume' }, close)}
        >
          {t('common:resume')}
        </Button>
      )}
      {(state === 'running' || state === 'paused') && (
        <Button icon={<IconX size={16} stroke={1.75} />} onClick={() => setDialog('cancel')}>
          {t('cancel-roll-out')}
        </Button>
      )}
      {rollout.kind === 'update' && rollout.reason !== 'rolled_back' && former > 0 && (
        <Button danger icon={<IconArrowBackUp size={16} stroke={1.75} data-flip />} onClick={() => setDialog('back')}>
          {t('common:roll-back')}
        </Button>
      )}
      {!dialog && <Problem text={change.problem} />}
      {dialog === 'cancel' && (
        <ConfirmDialog
          title={`${t('cancel-roll-out')}: ${name}`}
          text={t('cancel-means')}
          okText={t('cancel-roll-out')}
          action={change}
          onConfirm={() => void change.run({ id, action: 'cancel' }, close)}
          onClose={close}
        />
      )}
      {dialog === 'back' && (
        <ConfirmDialog
          title={t('back-named', { name })}
          text={t('back-means', { count: former })}
          okText={t('common:roll-back')}
          action={back}
          onConfirm={() =>
            void back.run({ id }, (answer) => {
              close()
              onOpen(answer.id)
            })
          }
          onClose={close}
        />
      )}
    </>
  )
}

/** Brings a published version to robots: in which steps, when it stops, and when robots may install; and whom it comes to. */
import { InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { ClockInput } from '@/widgets/form/time/clock-input'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import type { Candidate, Offer } from '../rows'
import { HealthFields, USUAL_HEALTH } from './health-fields'
import { Sites } from './sites'
import { ONE_STEP, readSteps, StepFields, USUAL_STEPS } from './step-fields'

const COLUMNS: readonly Column<Candidate>[] = [
  {
    key: 'deviceCode',
    label: 'common:robot',
    heading: true,
    cell: ({ deviceCode, step, busy }, { t }) => (
      <Row wrap gap="s" align="center">
        <bdi>{deviceCode}</bdi>
        {step === 0 && <Tag tone="moving">{t('common:internal-test-device')}</Tag>}
        {busy && <Tag tone="help">{t('rollout:busy')}</Tag>}
      </Row>
    ),
  },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true },
  { key: 'step', label: 'step', number: true },
  { key: 'version', label: 'runs', ltr: true },
]

const minute = (clock: string) => {
  const [hour = 0, rest = 0] = clock.split(':').map(Number)
  return hour * 60 + rest
}

export function StartDialog({ of, name, onClose }: { of: Offer; name: string; onClose(): void }) {
  const { t } = useTranslation('rollout')
  const { bytes } = useFormats()
  const navigate = useNavigate()
  const [stepPlan, setStepPlan] = useState(USUAL_STEPS)
  const [perMinute, setPerMinute] = useState(0)
  const [failureShare, setFailureShare] = useState(10)
  const [pauseMinutes, setPauseMinutes] = useState(60)
  const [charging, setCharging] = useState(true)
  const [hours, setHours] = useState<readonly [string, string]>()
  const [health, setHealth] = useState(USUAL_HEALTH)
  const steps = readSteps(stepPlan)
  const preview = useCall(
    '/version/previewRollout',
    { ...of, ...(steps ?? { steps: ONE_STEP, groups: [] }) },
    { keep: true },
  )
  const action = useAction('/version/startRollout', t('start'), ['steps', 'groups'])
  const limits = LIMITS['/version/startRollout']
  const robots = preview.data?.list.length ?? 0
  const size = preview.data?.list.reduce((sum, robot) => sum + robot.size, 0) ?? 0
  const start = () =>
    steps &&
    void action.run(
      {
        ...{ ...of, ...steps, perMinute, failureShare, pauseMinutes, charging, ...health },
        fromMinute: hours ? minute(hours[0]) : null,
        toMinute: hours ? minute(hours[1]) : null,
      },
      ({ id }) => navigate(`/version/soft/rollout?rollout=${id}`),
    )
  return (
    <Modal
      open
      width={760}
      title={t('roll-out-named', { name })}
      okText={t('start')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: !steps || robots === 0 }}
      onOk={start}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Columns gap="m">
          <StepFields
            plan={stepPlan}
            fault={action.problemAt('steps') ?? action.problemAt('groups')}
            onChange={setStepPlan}
          />
          <Field label={t('per-minute')} hint={t('per-minute-how')}>
            <InputNumber
              min={limits.perMinute.minimum}
              max={limits.perMinute.maximum}
              precision={0}
              value={perMinute}
              onChange={(value) => setPerMinute(value ?? 0)}
            />
          </Field>
          <Field label={t('pause-minutes')}>
            <InputNumber
              min={limits.pauseMinutes.minimum}
              max={limits.pauseMinutes.maximum}
              precision={0}
              value={pauseMinutes}
              onChange={(value) => setPauseMinutes(value ?? 0)}
            />
          </Field>
          <Field label={t('failure-share')}>
            <InputNumber
              min={limits.failureShare.minimum}
              max={limits.failureShare.maximum}
              precision={0}
              value={failureShare}
              onChange={(value) => setFailureShare(value ?? 10)}
            />
          </Field>
          <Field label={t('charging')}>
            <Switch checked={charging} onChange={setCharging} />
          </Field>
          <Field label={t('hours')}>
            <Switch checked={hours !== undefined} onChange={(on) => setHours(on ? ['01:00', '05:00'] : undefined)} />
          </Field>
          {hours && (
            <Row gap="m">
              <Field label={t('from')}>
                <ClockInput value={hours[0]} onChange={(from) => setHours([from, hours[1]])} />
              </Field>
              <Field label={t('to')}>
                <ClockInput value={hours[1]} onChange={(to) => setHours([hours[0], to])} />
              </Field>
            </Row>
          )}
          <HealthFields plan={health} onChange={setHealth} />
        </Columns>
        {preview.data && robots > 0 && (
          <>
            <Text strong>{t('who', { count: robots, size: bytes(size) })}</Text>
            <Sites sites={preview.data.sites} />
          </>
        )}
        <ShortList
          texts="rollout"
          label={t('robots')}
          columns={COLUMNS}
          query={preview}
          idOf={({ deviceId }) => deviceId}
          empty={<Text tone="soft">{t('nobody')}</Text>}
          height={240}
        />
      </Row>
      <Problem text={action.problem} />
    </Modal>
  )
}

/** How often a robot is backed up by itself, and how many of these backups stay. */
import { InputNumber, Select, Switch } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { LIMITS } from '@/shared/rpc/limits'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { RobotRow } from './rows'

interface Props {
  deviceId: number | undefined
  robots: readonly RobotRow[]
  onClose(): void
}

const NEVER = 0
const CHOICES = [
  [NEVER, 'never'],
  [1, 'every-day'],
  [7, 'every-week'],
  [30, 'every-month'],
] as const
const USUAL = { everyDays: 7, beforeUpdates: false, keep: 5 }

export function PlanDialog({ deviceId, robots, onClose }: Props) {
  const { t } = useTranslation('backup')
  const [robot, setRobot] = useState(deviceId)
  const [changed, setChanged] = useState<Partial<typeof USUAL>>({})
  const action = useAction('/device/updateDataBackupPlan', t('common:save'), ['deviceId', 'keep'])
  const present = robots.find((row) => row.deviceId === robot)
  const values = {
    everyDays: changed.everyDays ?? (present ? (present.everyDays ?? NEVER) : USUAL.everyDays),
    beforeUpdates: changed.beforeUpdates ?? present?.beforeUpdates ?? USUAL.beforeUpdates,
    keep: changed.keep ?? present?.keep ?? USUAL.keep,
  }
  const limits = LIMITS['/device/updateDataBackupPlan'].keep
  const choices = CHOICES.map(([value, word]): { value: number; label: string } => ({ value, label: t(word) }))
  const known = choices.some(({ value }) => value === values.everyDays)
  const send = () =>
    robot !== undefined && void action.run({ ...values, deviceId: robot, everyDays: values.everyDays || null }, onClose)
  return (
    <Modal
      open
      title={t('plan')}
      okText={t('common:save')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: robot === undefined }}
      onOk={send}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Field label={t('common:robot')} fault={action.problemAt('deviceId')}>
          <DevicePicker
            value={robot}
            label={t('common:robot')}
            placeholder={t('choose-robot')}
            onChange={(id) => {
              setRobot(id)
              setChanged({})
              action.reset()
            }}
          />
        </Field>
        <Field label={t('repeats')} hint={t('repeats-how')}>
          <Select
            aria-label={t('repeats')}
            value={values.everyDays}
            options={
              known
                ? choices
                : [...choices, { value: values.everyDays, label: t('every-days', { days: values.everyDays }) }]
            }
            onChange={(everyDays: number) => setChanged({ ...changed, everyDays })}
          />
        </Field>
        <Field label={t('before-updates')} hint={t('before-updates-how')}>
          <Switch
            aria-label={t('before-updates')}
            checked={values.beforeUpdates}
            onChange={(beforeUpdates) => setChanged({ ...changed, beforeUpdates })}
          />
        </Field>
        <Field label={t('keep')} hint={t('keep-how')} fault={action.problemAt('keep')}>
          <InputNumber
            aria-label={t('keep')}
            min={limits.minimum}
            max={limits.maximum}
            precision={0}
            disabled={values.everyDays === NEVER && !values.beforeUpdates}
            value={values.keep}
            onChange={(keep: number | null) => setChanged({ ...changed, keep: keep ?? USUAL.keep })}
          />
        </Field>
      </Row>
      <Problem text={action.problem} />
    </Modal>
  )
}

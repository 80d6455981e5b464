/** Puts off one alarm of a robot, or all of it while somebody works on it, now or as it is planned; `row` undefined: of
 * a robot that is chosen here. */
import { DatePicker, Input, Radio, Select } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Row } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { AlarmRow } from '../rows'

interface Props {
  row?: AlarmRow
  onClose(): void
}

const MINUTES = [15, 60, 240, 480, 1440, 4320, 10_080] as const
const USUAL = 60
const MINUTE_MS = 60_000

export function SnoozeDialog({ row, onClose }: Props) {
  const { t } = useTranslation('alarm')
  const { span } = useFormats()
  const [robot, setRobot] = useState<number>()
  const [all, setAll] = useState(!row)
  const [since, setSince] = useState<string>()
  const [minutes, setMinutes] = useState<number>(USUAL)
  const [note, setNote] = useState('')
  const verb = t(row ? 'snooze' : 'plan-maintenance')
  const action = useAction('/warn/snoozeWarn', verb, ['since', 'note'])
  const chosen = useCall('/device/selectDeviceByDeviceId', { deviceId: robot ?? 0 }, { enabled: robot !== undefined })
  const deviceSerialNumber = row?.deviceSerialNumber ?? chosen.data?.deviceSerialNumber ?? ''
  const scope = { deviceSerialNumber, ...(!all && row && { warnId: row.warnId }) }
  return (
    <Modal
      open
      title={row ? t('snooze-of', { name: row.deviceCode }) : verb}
      okText={verb}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: !deviceSerialNumber }}
      onOk={() => void action.run({ ...scope, minutes, note, ...(since && { since }) }, onClose)}
      onCancel={onClose}
    >
      <Row stack gap="m">
        {row ? (
          <Radio.Group
            aria-label={t('snooze-what')}
            vertical
            value={all}
            onChange={(event) => setAll(event.target.value)}
            options={[
              { value: false, label: t('snooze-one', { alarm: row.content }) },
              { value: true, label: t('snooze-all') },
            ]}
          />
        ) : (
          <Field label={t('common:robot')}>
            <DevicePicker value={robot} label={t('common:robot')} placeholder={t('choose-robot')} onChange={setRobot} />
          </Field>
        )}
        <Field label={t('snooze-from')} hint={t('snooze-from-how')} fault={action.problemAt('since')}>
          <DatePicker
            aria-label={t('snooze-from')}
            showTime={{ format: 'HH:mm' }}
            placeholder={t('at-once')}
            value={since ? dayjs(since) : null}
            minDate={dayjs()}
            onChange={(at) => setSince(at?.toISOString())}
          />
        </Field>
        <Field label={t('snooze-for')} hint={t('snooze-how')}>
          <Select
            aria-label={t('snooze-for')}
            value={minutes}
            options={MINUTES.map((value) => ({ value, label: span(value * MINUTE_MS) }))}
            onChange={setMinutes}
          />
        </Field>
        <Field label={t('snooze-why')} fault={action.problemAt('note')}>
          <Input
            aria-label={t('snooze-why')}
            value={note}
            maxLength={LIMITS['/warn/snoozeWarn'].note.maxLength}
            dir="auto"
            onChange={(event) => setNote(event.target.value)}
          />
        </Field>
        <Problem text={action.problem} />
      </Row>
    </Modal>
  )
}

/** Puts off one alarm of a robot, or all of it while somebody works on it, now or as it is planned; `row` undefined: of
 * a robot that is chosen here. */
import { Radio } from 'antd'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { useSend } from '@/shared/rpc/hooks'
import { limitsOf, type Value, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { required } from '@/widgets/form/rules'
import { useAttempt } from '@/widgets/form/use-attempt'
import type { AlarmRow } from '../rows'

interface Props {
  row?: AlarmRow
  onClose(): void
}

const SNOOZE = '/warn/snoozeWarn'
const MINUTES = [15, 60, 240, 480, 1440, 4320, 10_080] as const
const USUAL = 60
const MINUTE_MS = 60_000
const SCOPE = { name: 'all', label: 'alarm:snooze-what', group: true, wide: true } as const
const ROBOT = {
  ...({ name: 'deviceId', label: 'common:robot', kind: 'robot', wide: true } as const),
  ...({ placeholder: 'alarm:choose-robot', rule: required } as const),
} as const
const TIMES = [
  {
    ...({ name: 'since', label: 'alarm:snooze-from', hint: 'alarm:snooze-from-how', kind: 'moment' } as const),
    ...({ placeholder: 'alarm:at-once', from: 'now', clearable: true } as const),
  },
  { name: 'minutes', label: 'alarm:snooze-for', hint: 'alarm:snooze-how', kind: 'choice' },
  { name: 'note', label: 'alarm:snooze-why', wide: true },
] as const

export function SnoozeDialog({ row, onClose }: Props) {
  const { t } = useTranslation('alarm')
  const { span } = useFormats()
  const verb = t(row ? 'snooze' : 'plan-maintenance')
  const { mutateAsync } = useSend(SNOOZE, { quiet: true })
  const action = useAttempt(['since', 'note'], verb)
  const send = ({ all, deviceId, since, minutes, note }: Values) =>
    void action.run(async () => {
      const robot = row ?? (await call('/device/selectDeviceByDeviceId', { deviceId: Number(deviceId) }))
      const times = { minutes: Number(minutes), note: String(note), ...(since !== null && { since: String(since) }) }
      const { deviceSerialNumber } = robot
      await mutateAsync({ deviceSerialNumber, ...(row && all !== true && { warnId: row.warnId }), ...times })
    }, onClose)
  const scope = (value: Value, change: (value: Value) => void) => (
    <Radio.Group
      aria-label={t('snooze-what')}
      vertical
      value={value}
      onChange={(event) => change(event.target.value)}
      options={[
        { value: false, label: t('snooze-one', { alarm: row?.content }) },
        { value: true, label: t('snooze-all') },
      ]}
    />
  )
  return (
    <FormDialog
      texts="alarm"
      title={row ? t('snooze-of', { name: row.deviceCode }) : verb}
      verb={() => verb}
      fields={[row ? SCOPE : ROBOT, ...TIMES]}
      limits={limitsOf(SNOOZE)}
      options={{ minutes: MINUTES.map((value) => ({ value, label: span(value * MINUTE_MS) })) }}
      controls={row ? { all: scope } : {}}
      row={undefined}
      start={{ all: false, deviceId: null, since: null, minutes: USUAL, note: '' }}
      draft={row ? `${SNOOZE} ${row.deviceSerialNumber} ${row.warnId}` : SNOOZE}
      action={action}
      onSend={send}
      onClose={onClose}
    />
  )
}

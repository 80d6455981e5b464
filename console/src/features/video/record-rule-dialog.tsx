/** Edits when a robot's cameras are recorded by themselves: by a plan of the week, and from alarms on. */
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { LEVEL_WORDS, LEVELS } from '@/widgets/alarm/levels'
import { Problem } from '@/widgets/form/field'
import { limitsOf, numbersOf, type Values } from '@/widgets/form/fields'
import { FormDialog } from '@/widgets/form/form-dialog'
import { useAction } from '@/widgets/form/use-action'
import { useDayNames, WEEK } from '@/widgets/week'
import type { RecordRule } from './rows'

const UPDATE = '/qiniuQvs/recordRuleUpdate'
const ALARMS = [0, ...LEVELS] as const
const FIELDS = [
  { name: 'cameras', label: 'video:auto-cameras', hint: 'video:auto-cameras-how', kind: 'choices', wide: true },
  { name: 'days', label: 'video:auto-days', hint: 'video:auto-days-how', kind: 'choices', wide: true },
  { name: 'startTime', label: 'video:auto-from', hint: 'video:auto-hours-how', kind: 'clock', clearable: true },
  { name: 'endTime', label: 'video:auto-until', kind: 'clock', clearable: true },
  { name: 'alarmLevel', label: 'video:auto-alarm', kind: 'choice' },
  { name: 'alarmSec', label: 'video:auto-seconds', kind: 'number' },
] as const
const NAMES = FIELDS.map(({ name }) => name)

interface Props {
  deviceSerialNumber: string
  rule: RecordRule
  onClose(): void
}

export function RecordRuleDialog({ deviceSerialNumber, rule, onClose }: Props) {
  const { t } = useTranslation('video')
  const { name } = useDayNames()
  const action = useAction(UPDATE, t('common:save'), NAMES)
  const known = useCall('/qiniuQvs/cameraList', { deviceSerialNumber }, { staleTime: Number.POSITIVE_INFINITY })
  // A robot that is off says no cameras: those of its rule stay to be chosen.
  const cameras = [...new Set([...(known.data?.list ?? []), ...rule.cameras])]
  const chosen = rule.cameras.map((name) => cameras.indexOf(name))
  const { days, startTime, endTime, alarmLevel, alarmSec } = rule
  const start: Values = { cameras: chosen, days, startTime, endTime, alarmLevel, alarmSec }
  const send = ({ cameras: places, days, startTime, endTime, alarmLevel, alarmSec }: Values) => {
    const level = ALARMS.find((value) => value === alarmLevel) ?? 0
    const times = { startTime: String(startTime ?? ''), endTime: String(endTime ?? '') }
    const alarm = { alarmLevel: level, ...(alarmSec !== null && { alarmSec: Number(alarmSec) }) }
    const names = numbersOf(places).flatMap((place) => cameras[place] ?? [])
    void action.run({ deviceSerialNumber, cameras: names, days: [...numbersOf(days)], ...times, ...alarm }, onClose)
  }
  if (known.isPending) return null
  return (
    <FormDialog
      texts="video"
      title={t('auto-record')}
      fields={FIELDS}
      limits={limitsOf(UPDATE)}
      options={{
        cameras: cameras.map((label, value) => ({ value, label })),
        days: WEEK.map((value) => ({ value, label: name(value) })),
        alarmLevel: ALARMS.map((value) => ({
          value,
          label: value ? t(`common:${LEVEL_WORDS[value] ?? 'level-info'}`) : t('auto-no-alarm'),
        })),
      }}
      row={{ ...start, updateTime: '' }}
      start={start}
      draft={`${UPDATE} ${deviceSerialNumber}`}
      action={action}
      head={
        <>
          <Text tone="quiet" below="m">
            {t('auto-how')}
          </Text>
          <Problem text={known.error?.message} />
        </>
      }
      onSend={send}
      onClose={onClose}
    />
  )
}

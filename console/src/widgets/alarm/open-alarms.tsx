/** What is open of one robot, in words; what the place says already, by its code, is left out. */
import { useFormats } from '@/shared/i18n/format'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'

type OpenAlarm = Answer<'/warn/listUnProcess'>['list'][number]

const ALARM = 2

export function useOpenAlarms(deviceId: number, besides: readonly string[] = []): readonly OpenAlarm[] {
  const may = useMay('index/realWarn')
  const open = useCall('/warn/listUnProcess', { deviceId }, { enabled: may })
  return (open.data?.list ?? []).filter(({ code }) => !besides.includes(code))
}

export const markOfOpen = ({ type }: Pick<OpenAlarm, 'type'>) => (type === ALARM ? 'help' : 'warning')

export function OpenAlarms({ deviceId, besides }: { deviceId: number; besides: readonly string[] }) {
  const { time } = useFormats()
  const alarms = useOpenAlarms(deviceId, besides)
  if (alarms.length === 0) return null
  return (
    <Row as="ul" stack gap="xs">
      {alarms.map((alarm) => (
        <Row as="li" key={alarm.warnId} gap="s" align="center">
          <StateMark state={markOfOpen(alarm)} size={14} />
          <Text as="span" size="small" grow cut>
            {alarm.content}
          </Text>
          <Text as="time" size="small" tone="soft" dateTime={alarm.time}>
            {time(Date.parse(alarm.time))}
          </Text>
        </Row>
      ))}
    </Row>
  )
}

/** Says that one is on an alarm, or no longer: one press, and all others see it. */
import { IconUserCheck, IconUserMinus } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { useSend } from '@/shared/rpc/hooks'
import { useSession } from '@/shared/session/session'
import { LineAction } from '@/widgets/list/line-action'
import type { AlarmRow } from './rows'

export function TakeAction({ row }: { row: AlarmRow }) {
  const { t } = useTranslation('alarm')
  const { deviceSerialNumber, warnId } = row
  const taken = row.takenUserId === useSession()?.userId
  const label = t(taken ? 'give-back' : 'take')
  const send = useSend('/warn/takeWarn', { action: label })
  return (
    <LineAction
      icon={taken ? IconUserMinus : IconUserCheck}
      label={label}
      name={`${row.content}, ${row.deviceCode}`}
      onClick={() => send.mutate({ deviceSerialNumber, warnId, on: !taken })}
    />
  )
}

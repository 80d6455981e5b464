/** Who is on duty now, and who comes next; nothing where there is no rota. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'

export function DutyText({ rota }: { rota: Answer<'/warn/rota'> }) {
  const { t } = useTranslation('alarm')
  const { dateTime, list } = useFormats()
  if (!rota.zone) return null
  const at = (time: string) => dateTime(Date.parse(time), rota.zone)
  const now = rota.now.map(({ name, until }) => t('duty-until', { name, time: at(until) }))
  return (
    <Text>
      {now.length > 0 ? t('duty-now', { people: list(now) }) : t('duty-nobody')}
      {rota.next && <> · {t('duty-next', { name: rota.next.name, time: at(rota.next.start) })}</>}
    </Text>
  )
}

export function DutyLine() {
  const { data } = useCall('/warn/rota', {})
  return data ? <DutyText rota={data} /> : null
}

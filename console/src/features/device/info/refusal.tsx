/** The newest message of the robot that the server did not store: what, which field, and why. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { toMs } from '@/widgets/time'

const REASON = {
  unreadable: 'refused-unreadable',
  missing: 'refused-missing',
  wrong_type: 'refused-wrong-type',
  out_of_range: 'refused-out-of-range',
  unknown_value: 'refused-unknown-value',
  no_room: 'refused-no-room',
  content_missing: 'refused-content-missing',
} as const
const KIND = { state: 'refused-state', report: 'refused-report', event: 'refused-event' } as const

/** Nothing while there is none. */
export function useRefusal(deviceId: number) {
  const { t } = useTranslation('fleet')
  const { exact } = useFormats()
  const { data } = useCall('/device/selectRefusal', { deviceId })
  const time = toMs(data?.time)
  if (!data?.kind || !data.reason || time === null) return ''
  return (
    <>
      {t(KIND[data.kind])} {data.field && <bdi dir="ltr">{data.field}</bdi>}: {t(REASON[data.reason])} ({exact(time)})
    </>
  )
}

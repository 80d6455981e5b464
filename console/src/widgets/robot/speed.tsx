/** What a robot says it drives now; it comes ten times a second. Of one that is silent nobody knows. */
import { useFormats } from '@/shared/i18n/format'
import { useRobotPart } from '@/shared/live/live'
import { hundredths } from '@/shared/live/steady'

export function Speed({ deviceId }: { deviceId: number }) {
  const { unit } = useFormats()
  const now = useRobotPart(deviceId, ({ mode, speed }) => ({ mode, speed: hundredths(speed) }))
  return <bdi>{now && now.mode !== 'offline' && unit(now.speed, 'metre-per-second', 2)}</bdi>
}

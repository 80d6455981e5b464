/** How long the camera still sends: counted here from what the server said, second by second. */
import { useEffect, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Text } from '@/shared/ui/layout'

const SECOND = 1000
const MINUTE = 60

export const clock = (seconds: number) => `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, '0')}`

/** `at`: when the server said so, ms. */
export function Remaining({ seconds, at }: { seconds: number; at: number }) {
  const { t } = useTranslation('video')
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [])
  const left = Math.max(0, seconds - Math.max(0, Math.round((now - at) / SECOND)))
  return (
    <Text as="span" role="timer" strong>
      {t('remaining', { time: clock(left) })}
    </Text>
  )
}

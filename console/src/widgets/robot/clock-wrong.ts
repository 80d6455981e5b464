/** That a robot's clock is wrong, and by how much; undefined while it is right. Until it is, the server's time counts. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'

export function useClockWrong() {
  const { t } = useTranslation('robot')
  const { span } = useFormats()
  return ({ clockOff }: { readonly clockOff: number }): string | undefined => {
    if (clockOff === 0) return undefined
    return t(clockOff > 0 ? 'clock-ahead' : 'clock-behind', { age: span(Math.abs(clockOff)) })
  }
}

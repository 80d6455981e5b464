/** In which lift a robot is, or which one it takes; undefined for one that has to do with none. */
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'

interface Rider {
  readonly mode: Mode
  readonly liftName: string
}

export function useInElevator() {
  const { t } = useTranslation('robot')
  return ({ mode, liftName }: Rider): string | undefined => {
    if (!liftName) return undefined
    return t(mode === 'riding' ? 'in-lift' : 'takes-lift', { lift: liftName })
  }
}

/** Where a robot is, in words: "Kestrel Quay Hotel, floor 1". A floor that is only a number gets its word. */
import { useTranslation } from '@/shared/i18n/text'

export function usePlace() {
  const { t } = useTranslation('robot')
  const floor = (name: string) => (/^-?\d+$/.test(name) ? t('floor-numbered', { floor: name }) : name)
  const place = (building: string, level: string) =>
    building && level ? t('floor-plan', { building, floor: floor(level) }) : building || floor(level)
  return { floor, place }
}

/** What a zone is called: its room, or the whole floor. */
import { useTranslation } from '@/shared/i18n/text'
import { usePlace } from '@/widgets/place'

interface Named {
  readonly room: string
  readonly name: string
}

interface Placed {
  readonly building: string
  readonly floor: string
  readonly mapName: string
}

export function useZoneName() {
  const { t } = useTranslation('spotcheck')
  return ({ room, name }: Named) => name || (room === '' ? t('common:whole-floor') : t('room-unnamed'))
}

export function usePlaceName() {
  const { place } = usePlace()
  return ({ building, floor, mapName }: Placed) => place(building, floor) || mapName
}

export const gradePath = (mapId: number, room: string) =>
  `/device/spotCheck/grade?map=${mapId}${room && `&room=${encodeURIComponent(room)}`}`

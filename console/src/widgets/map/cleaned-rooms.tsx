/** When each room of a floor was last cleaned, by the server's one definition; and its rooms for who does not see them. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'

export type CleanedRoom = Answer<'/taskReport/cleanedRooms'>['list'][number]

const NONE: readonly CleanedRoom[] = []

/** Those with a name: by it they are spoken of, and cleaned. */
export function useCleanedRooms(mapId: number | null | undefined, enabled = true): readonly CleanedRoom[] {
  const cleaned = useCall('/taskReport/cleanedRooms', { mapId: mapId ?? 0 }, { enabled: enabled && mapId != null })
  return cleaned.data?.list.filter(({ name }) => name !== '') ?? NONE
}

/** The one that has waited longest; undefined where every room was cleaned today. */
export const longestUncleaned = (rooms: readonly CleanedRoom[]): CleanedRoom | undefined => {
  const [first] = rooms.toSorted((a, b) => (b.daysAgo ?? Infinity) - (a.daysAgo ?? Infinity))
  return first?.daysAgo === 0 ? undefined : first
}

export function useCleanedText(): (room: CleanedRoom) => string {
  const { t } = useTranslation('robot')
  const { daysAgo } = useFormats()
  return (room) => (room.daysAgo === null ? t('not-cleaned') : t('cleaned-ago', { when: daysAgo(room.daysAgo) }))
}

/** Beside a floor's picture: what it shows of each room, in words. */
export function RoomList({ rooms, floor }: { rooms: readonly CleanedRoom[]; floor: string }) {
  const { t } = useTranslation('robot')
  const { area, list } = useFormats()
  const cleaned = useCleanedText()
  if (rooms.length === 0) return null
  return (
    <ul className="unseen" aria-label={t('rooms-of-floor', { floor })}>
      {rooms.map((room) => (
        <li key={room.id}>
          <bdi>{room.name}</bdi>:{' '}
          {list([cleaned(room), t('cleaned-of', { done: area(room.cleanedToday).text, area: area(room.area).text })])}
        </li>
      ))}
    </ul>
  )
}

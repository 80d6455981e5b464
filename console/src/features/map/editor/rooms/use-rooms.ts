/** Rooms that the server finds in the map's picture, drawn as one step that can be undone; and several made one. */
import { useCallback } from 'react'
import { areRooms } from '@/canvas/document/selection'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { notice } from '@/shared/ui/notice'
import { useAttempt } from '@/widgets/form/use-attempt'
import { merged, roomsOf, withProposals } from './rooms'

export function useRooms(mapId: number, view: MapView | undefined) {
  const { t } = useTranslation('map')
  const { busy, run } = useAttempt([], t('find-rooms'))
  const refused = (why: string) => notice('error', why)
  const numbered = useCallback((number: number) => t('room-number', { number }), [t])
  const find = () =>
    run(
      () => call('/map/findRooms', { mapId }),
      ({ list }) => {
        if (!view) return
        const { map, ids } = withProposals(view.editor.map, list, numbered)
        if (ids.length === 0) return notice('info', t(list.length > 0 ? 'rooms-drawn' : 'no-rooms-found'))
        view.editor.commit(map)
        view.editor.choose([])
        notice('info', t('rooms-found', { count: ids.length }))
      },
      refused,
    )
  const merge = () =>
    run(async () => {
      if (!view || !areRooms(view.chosen)) return
      const rooms = roomsOf(view.chosen)
      const map = await merged(view.editor.map, rooms)
      if (!map) return notice('error', t('rooms-apart'))
      view.editor.commit(map)
      view.editor.choose(rooms.flatMap(({ id }) => (map.marks.some((mark) => mark.id === id) ? [id] : [])))
    })
  return { busy, find, merge, numbered }
}

export type Rooms = ReturnType<typeof useRooms>

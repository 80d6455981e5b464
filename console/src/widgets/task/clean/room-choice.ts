/** Rooms of the loaded floor that are chosen to be cleaned now, in the sequence in which they were. */
import { useState } from 'react'
import type { MapDocument, Polygon } from '@/canvas/document/document'
import type { Point } from '@/canvas/geometry/geometry'
import { roomAt, roomsOf, withRooms } from '@/widgets/task/rooms'

export function useRoomChoice(floor: MapDocument | undefined) {
  const [open, setOpen] = useState(false)
  const [picked, setPicked] = useState<readonly Polygon[]>([])
  const rooms = roomsOf(floor)
  // A floor that comes anew may give rooms other ids: not every robot keeps them.
  const present = (before: readonly Polygon[]) =>
    before.flatMap((old) => rooms.find(({ id }) => id === old.id) ?? rooms.find(({ name }) => name === old.name) ?? [])
  const chosen = present(picked)
  const toggle = (id: string) =>
    setPicked((before) => {
      const still = present(before)
      const others = still.filter((room) => room.id !== id)
      return others.length < still.length ? others : [...still, ...rooms.filter((room) => room.id === id)]
    })
  return {
    open,
    rooms,
    chosen,
    toggle,
    /** The floor with the chosen rooms on it. */
    map:
      floor && open
        ? withRooms(
            floor,
            chosen.map(({ id }) => id),
          )
        : floor,
    begin: () => setOpen(true),
    tap: (at: Point) => {
      const room = roomAt(floor, at)
      if (!room) return
      setOpen(true)
      toggle(room.id)
    },
    close: () => {
      setOpen(false)
      setPicked([])
    },
  }
}

export type RoomChoice = ReturnType<typeof useRoomChoice>

/** Rooms of the loaded floor that are chosen to be cleaned now, in the sequence in which they were. */
import { useState } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import type { Point } from '@/canvas/geometry/geometry'
import { roomAt, roomsOf, withRooms } from '@/widgets/task/rooms'

export function useRoomChoice(floor: MapDocument | undefined) {
  const [open, setOpen] = useState(false)
  const [picked, setPicked] = useState<readonly string[]>([])
  const rooms = roomsOf(floor)
  const chosen = picked.flatMap((id) => rooms.find((room) => room.id === id) ?? [])
  const toggle = (id: string) =>
    setPicked((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id]))
  return {
    open,
    rooms,
    chosen,
    toggle,
    /** The floor with the chosen rooms on it. */
    map: floor && open ? withRooms(floor, picked) : floor,
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

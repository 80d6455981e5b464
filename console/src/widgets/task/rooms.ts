/** Rooms of a floor, chosen to be cleaned now, and the tasks of the robot that do it. */
import { isFlag, type MapDocument, type Polygon } from '@/canvas/document/document'
import { area, boxOf, contains, middle, type Point } from '@/canvas/geometry/geometry'
import { COMMAND_LIMITS } from '@/shared/relay/limits'
import type { Manner, RobotTask } from './robot-task'

export type Corner = [x: number, y: number]

/** The free areas that have a name, by it. */
export const roomsOf = (map: MapDocument | undefined): readonly Polygon[] =>
  (map?.marks ?? [])
    .filter((mark): mark is Polygon => mark.kind === 'freeArea' && !isFlag(mark) && mark.name !== '')
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }))

/** The smallest room that holds a place: rooms may lie in a hall that is one, too. */
export const roomAt = (map: MapDocument | undefined, at: Point): Polygon | undefined =>
  roomsOf(map)
    .filter((room) => contains(room.points, at))
    .sort((a, b) => area(a.points) - area(b.points))[0]

/** The floor with the chosen rooms drawn as what will be cleaned, each with its place in the sequence. */
export function withRooms(map: MapDocument, chosen: readonly string[]): MapDocument {
  if (chosen.length === 0) return map
  return {
    ...map,
    marks: map.marks.flatMap((mark) => {
      const place = chosen.indexOf(mark.id)
      if (place < 0 || mark.kind !== 'freeArea' || isFlag(mark)) return [mark]
      const name = chosen.length > 1 ? `${place + 1} · ${mark.name}` : mark.name
      return [
        { ...mark, name },
        { id: `${mark.id} chosen`, kind: 'taskArea' as const, name: '', points: mark.points },
      ]
    }),
  }
}

const INWARDS = [0.5, 0.25, 0.75] // of the box's sides

/** Places where a robot may begin in a room, the likeliest first: its middle, then others of its box that lie in it. */
export function startsIn(points: readonly Point[]): Corner[] {
  const box = boxOf(points)
  const grid = INWARDS.flatMap((v) =>
    INWARDS.map((u) => ({ x: box.left + u * (box.right - box.left), y: box.bottom + v * (box.top - box.bottom) })),
  )
  return [middle(points), ...grid].filter((at) => contains(points, at)).map(({ x, y }) => [round(x), round(y)])
}

const round = (metres: number) => Math.round(metres * 1000) / 1000

export const cornersOf = (points: readonly Point[]): Corner[] => points.map(({ x, y }) => [round(x), round(y)])

const SAME = 0.01 // m

const alike = (task: RobotTask, corners: readonly Corner[], manner: Manner) => {
  const [own] = task.areas
  const same = (keys: readonly (keyof Manner)[]) => keys.every((key) => task[key] === manner[key])
  return (
    own?.points.length === corners.length &&
    own.points.every(([x, y], i) => {
      const [cx = 0, cy = 0] = corners[i] ?? []
      return Math.abs(x - cx) < SAME && Math.abs(y - cy) < SAME
    }) &&
    same(['clean_mode', 'task_mode', 'route', 'speed'])
  )
}

export interface RoomTask {
  readonly name: string
  readonly corners: readonly Corner[]
  /** The robot keeps it already. */
  readonly known: boolean
}

/** The robot's task for each room: one that it keeps of this area and manner, else a new one named like the room. */
export function tasksFor(rooms: readonly Polygon[], tasks: readonly RobotTask[], manner: Manner): RoomTask[] {
  const taken = new Set(tasks.map((task) => task.name))
  return rooms.map(({ name, points }) => {
    const corners = cornersOf(points)
    const known = tasks.find((task) => alike(task, corners, manner))
    if (known) return { name: known.name, corners, known: true }
    const free = freeName(name, taken)
    taken.add(free)
    return { name: free, corners, known: false }
  })
}

/** The name, with a number behind it where it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const longest = COMMAND_LIMITS.task_add.name.maxLength
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : ` ${n}`
    const free = name.slice(0, longest - end.length) + end
    if (!taken.has(free)) return free
  }
}

/** What may not be saved, before anybody is asked: the same rules as domains/map/rules.py. */
import { freeAt, isFlag, type MapDocument, pointsOf } from '@/canvas/document/document'
import { hoursOf, WHOLE } from '@/canvas/document/timed'
import { beyond } from '@/canvas/geometry/geometry'

export type Problem = 'problem-name' | 'problem-twice' | 'problem-edge' | 'problem-wall' | 'problem-hours'

/** By the element's id. A point that stood in a wall before may stay there. */
export function problems(map: MapDocument, before: MapDocument): ReadonlyMap<string, Problem> {
  const problems = new Map<string, Problem>()
  const names = new Set<string>()
  const stood = new Map(before.marks.map((mark) => [mark.id, mark]))
  for (const mark of map.marks) {
    if (beyond(pointsOf(mark), map.frame).length > 0) problems.set(mark.id, 'problem-edge')
    const hours = hoursOf(mark)
    if (hours && hours.start === hours.end) problems.set(mark.id, 'problem-hours')
    if (!isFlag(mark)) continue
    const was = stood.get(mark.id)
    const moved = !(was && isFlag(was) && was.at.x === mark.at.x && was.at.y === mark.at.y)
    if (!mark.name.trim()) problems.set(mark.id, 'problem-name')
    else if (names.has(mark.name)) problems.set(mark.id, 'problem-twice')
    else if (moved && !problems.has(mark.id) && !freeAt(map, mark.at)) problems.set(mark.id, 'problem-wall')
    names.add(mark.name)
  }
  if (map.hours && map.hours.start === map.hours.end) problems.set(WHOLE, 'problem-hours')
  return problems
}

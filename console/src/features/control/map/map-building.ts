/** The map that the robot is building, as it grows: its picture is asked for each second, and sent only when it changed. */
import { useRef } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { gridFromPicture } from '@/canvas/paint/decode'
import { relayCall } from '@/shared/relay/relay'
import { useRobotAnswer } from '@/shared/relay/use-robot-answer'

const GROWS_MS = 1000
const LOOKS_MS = 5000 // whether one is begun, while no map is loaded

interface Growing {
  readonly seq: number
  /** m² seen so far. */
  readonly area: number
  readonly document: MapDocument
}

const picture = (url: string) => {
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: 'image/png' })
}

/** `unloaded`: the robot has no map loaded, so it may be building one. */
export function useGrowing(deviceId: number, unloaded: boolean): Growing | undefined {
  const last = useRef<Growing>(undefined)
  const { data } = useRobotAnswer(deviceId, {
    key: ['map_image'],
    read: async (signal): Promise<Growing | null> => {
      const before = last.current
      const answer = await relayCall(deviceId, 'map_image', { since: before?.seq ?? -1 }, signal)
      if (!answer.building) return null
      const { seq, area, map_name: name, resolution, width, height, url } = answer
      const [x, y, yaw] = answer.origin
      const frame = { resolution, width, height, origin: { x, y, yaw } }
      const grid = url === undefined ? before?.document.grid : await gridFromPicture(picture(url))
      const document = { id: `building ${name}`, name, revision: seq, frame, grid, marks: [] }
      last.current = { seq, area, document }
      return last.current
    },
    enabled: unloaded,
    everyMs: ({ state }) => (state.data ? GROWS_MS : LOOKS_MS),
    retry: false,
  })
  return unloaded ? (data ?? undefined) : undefined
}

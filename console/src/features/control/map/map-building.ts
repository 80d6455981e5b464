/** The map that the robot is building, as it grows: its picture is asked for each second, and sent only when it changed. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { MapDocument } from '@/canvas/document/document'
import { gridFromPicture } from '@/canvas/document/wire'
import { relayCall } from '@/shared/relay/relay'

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
  const { data } = useQuery({
    queryKey: ['relay', deviceId, 'map_image'],
    queryFn: async ({ signal }): Promise<Growing | null> => {
      const before = last.current
      const answer = await relayCall(deviceId, 'map_image', { since: before?.seq ?? -1 }, signal)
      if (answer.building !== true) return null
      const { seq, area, map_name, resolution, width, height } = answer as unknown as Record<string, number>
      const [x = 0, y = 0, yaw = 0] = answer.origin as number[]
      const name = String(map_name)
      const frame = {
        resolution: Number(resolution),
        width: Number(width),
        height: Number(height),
        origin: { x, y, yaw },
      }
      const grid = typeof answer.url === 'string' ? await gridFromPicture(picture(answer.url)) : before?.document.grid
      const document = { id: `building ${name}`, name, revision: Number(seq), frame, grid, marks: [] }
      last.current = { seq: Number(seq), area: Number(area), document }
      return last.current
    },
    enabled: unloaded,
    refetchInterval: ({ state }) => (state.data ? GROWS_MS : LOOKS_MS),
    retry: false,
    meta: { quiet: true },
  })
  return unloaded ? (data ?? undefined) : undefined
}

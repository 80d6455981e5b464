/** Which log is read as it is written stands in the address: `live`, the robot or 0 before one is chosen, and the log. */
import { readId, useParams } from '../params'

export const LIVE_KINDS = ['device', 'pad', 'navlog'] as const
export type LiveKind = (typeof LIVE_KINDS)[number]

const NAMES = { robot: 'live', kind: 'livekind' } as const

export function useLiveAddress() {
  const { params, change } = useParams()
  const kind = LIVE_KINDS.find((each) => each === params.get(NAMES.kind)) ?? 'device'
  return {
    isOpen: params.has(NAMES.robot),
    robot: readId(params.get(NAMES.robot)),
    kind,
    show: (robot: number | undefined, next: LiveKind) =>
      change((params) => {
        params.set(NAMES.robot, String(robot ?? 0))
        params.set(NAMES.kind, next)
      }),
    close: () =>
      change((params) => {
        for (const name of Object.values(NAMES)) params.delete(name)
      }),
  }
}

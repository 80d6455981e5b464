import type { RolloutRow } from '../rows'

/** Tone and word of each state of a roll-out; one that waits for runs of its robots says so. */
const STATES = {
  running: ['moving', 'common:running'],
  paused: ['paused', 'common:paused'],
  finished: ['cleaning', 'common:finished'],
  cancelled: ['offline', 'common:cancelled'],
  health: ['moving', 'rollout:waits-for-health'],
} as const

export const stateOf = ({ state, reason }: Pick<RolloutRow, 'state' | 'reason'>) =>
  STATES[state === 'running' && reason === 'health_runs' ? 'health' : state]

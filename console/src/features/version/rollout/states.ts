/** Tone and word of each state of a roll-out. */
export const STATES = {
  running: ['moving', 'common:running'],
  paused: ['paused', 'common:paused'],
  finished: ['cleaning', 'common:finished'],
  cancelled: ['offline', 'common:cancelled'],
} as const

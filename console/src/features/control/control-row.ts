/** What the panels of the page show of the robot's row. The map and the speed listen to the moving rest by themselves. */
import type { LiveRow } from '@/shared/live/frames'
import { hundredths, type SteadyRow, steady } from '@/shared/live/steady'

export interface ControlRow extends SteadyRow, Pick<LiveRow, 'uncertainty'> {}

export const controlRow = (row: LiveRow): ControlRow => ({ ...steady(row), uncertainty: hundredths(row.uncertainty) })

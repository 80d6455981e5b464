/** The steps of a heat map as they are painted. */
import type { Answer } from '@/shared/rpc/contract'

export type Heat = Answer<'/taskReport/heat'>
export type Kind = 'times' | 'daysAgo' | 'dose'
export type Step = Heat[Kind][number]

const FAINTEST = 0.15
const FULLEST = 0.95

/** How full the colour of each step is; 0: what was not cleaned, which is hatched. Most often, and longest ago, is fullest. */
export function sharesOf(kind: Kind, steps: readonly Step[]): readonly number[] {
  const last = Math.max(1, steps.length - 2)
  const full = Array.from({ length: steps.length - 1 }, (_, place) => FAINTEST + ((FULLEST - FAINTEST) * place) / last)
  return kind === 'daysAgo' ? [...full, 0] : [0, ...full]
}

const TARGET = 100 // percent

/** Part of the floor that got the target or more. */
export const reached = ({ dose, area }: Heat): number =>
  area > 0 ? sumOf(dose.filter(({ least }) => (least ?? 0) >= TARGET)) / area : 0

/** m². */
export const sumOf = (steps: readonly Step[]): number => steps.reduce((sum, { area }) => sum + area, 0)

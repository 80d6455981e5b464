/** A spot check as the server lists it, and what its grades are called. */
import type { TextKey } from '@/shared/i18n/text'
import type { MODE_TONE } from '@/shared/marks/mode'
import type { Answer } from '@/shared/rpc/contract'

export type CheckRow = Answer<'/spotCheck/list'>['list'][number]

export const ITEMS = ['floor', 'edges', 'dust', 'litter'] as const
export type Item = (typeof ITEMS)[number]

export const ITEM_WORDS: Readonly<Record<Item, TextKey<'spotcheck'>>> = {
  floor: 'item-floor',
  edges: 'item-edges',
  dust: 'item-dust',
  litter: 'item-litter',
}

export const GRADES = [1, 2, 3, 4, 5] as const
export type Grade = (typeof GRADES)[number]
const BEST = 5

export const GRADE_WORDS: Readonly<Record<Grade, TextKey<'spotcheck'>>> = {
  1: 'grade-1',
  2: 'grade-2',
  3: 'grade-3',
  4: 'grade-4',
  5: 'grade-5',
}

const GOOD = 4
const FAIR = 3

type Tone = (typeof MODE_TONE)[keyof typeof MODE_TONE]

export const toneOf = (grade: Grade): Tone => (grade >= GOOD ? 'cleaning' : grade >= FAIR ? 'paused' : 'help')

/** The grade that a mean is nearest to. */
export const nearest = (score: number): Grade => GRADES.find((grade) => score < grade + 0.5) ?? BEST

/**
 * How well words fit what was typed: every letter must come, in its order. Letters at the beginning of a word and letters that
 * follow one another count more, so "dl" finds "Device list" before "Add elevator". Chinese words are found by the first letters
 * of their pinyin, too.
 */
import { initials } from './pinyin'

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLocaleLowerCase()

const AT_WORD = 8
const IN_ROW = 5
const NONE = Number.NEGATIVE_INFINITY

/** Undefined: it does not fit; else the greater the better, of two that fit alike the shorter. */
export function rank(typed: string, text: string): number | undefined {
  const sought = [...plain(typed).replace(/\s+/g, '')]
  const letters = [...plain(text)]
  /** By the place of the letter that was matched last: the best sum so far. */
  let sums = letters.map(() => 0)
  for (const [nth, letter] of sought.entries()) {
    let before = nth === 0 ? 0 : NONE // the best of the places that lie before this one
    sums = letters.map((other, at) => {
      const previous = at > 0 && nth > 0 ? (sums[at - 1] ?? NONE) : NONE
      before = Math.max(before, previous)
      return other === letter ? Math.max(before, previous + IN_ROW) + (isStart(letters, at) ? AT_WORD : 1) : NONE
    })
  }
  const best = Math.max(NONE, ...sums)
  return best === NONE ? undefined : best - letters.length / 100
}

const isStart = (letters: readonly string[], at: number) => at === 0 || /[\s/·.,:(_-]/.test(letters[at - 1] ?? '')

/** Those that fit, the best first; in their own order while nothing is typed. */
export function ranked<E extends { readonly label: string; readonly detail?: string }>(
  typed: string,
  entries: readonly E[],
): readonly E[] {
  if (typed.trim() === '') return entries
  return entries
    .flatMap((entry) => {
      const text = `${entry.label} ${entry.detail ?? ''}`.trim()
      const score = rank(typed, text) ?? rank(typed, initials(text) ?? '')
      return score === undefined ? [] : [{ entry, score }]
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

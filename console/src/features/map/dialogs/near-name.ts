/** A name that was typed beside those that exist: a slip of the hand would make a building twice. */

const plain = (name: string) =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._-]+/g, '')

/** How many letters differ, at most `most` + 1 (Levenshtein). */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const now = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const swap = (before[j] ?? 0) + Number(letter !== other)
      now.push(Math.min(swap, (before[j + 1] ?? 0) + 1, (now[j] ?? 0) + 1))
    }
    before = now
  }
  return before.at(-1) ?? 0
}

const LETTERS_A_SLIP = 6 // a slip for so many letters: floors 1 and 2 are two floors

/** The name that exists and is nearly this one; undefined where it is one of them, or like none. */
export function nearName(typed: string, names: readonly string[]): string | undefined {
  const name = typed.trim()
  if (name === '' || names.includes(name)) return undefined
  return names.find((known) => {
    const [a, b] = [plain(name), plain(known)]
    const slips = Math.floor(b.length / LETTERS_A_SLIP)
    return a === b || distance(a, b, slips) <= slips
  })
}

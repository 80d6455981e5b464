/**
 * The first letters of Chinese words as people type them: sblb for 设备列表. The browser sorts by pinyin; a character begins with
 * the letter whose first character does not come after it. One that is read in several ways has its usual reading.
 */
const FIRSTS = [...'吖八嚓咑妸发旮哈丌咔垃痳拏喔妑七呥仨他屲夕丫帀'] // the first of each letter, in the order of the letters
const LETTERS = 'abcdefghjklmnopqrstwxyz' // no word begins with i, u or v
const HAN = /\p{Script=Han}/u
const { compare } = new Intl.Collator('zh-CN-u-co-pinyin')

const letterOf = (character: string) =>
  LETTERS[FIRSTS.findLastIndex((first) => compare(first, character) <= 0)] ?? character

/** Undefined for a text without Chinese characters. */
export const initials = (text: string): string | undefined =>
  HAN.test(text)
    ? [...text].map((character) => (HAN.test(character) ? letterOf(character) : character)).join('')
    : undefined

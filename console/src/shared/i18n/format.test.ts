import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import ar from '../../../locales/ar/common.json'
import en from '../../../locales/en/common.json'
import fr from '../../../locales/fr/common.json'
import zh from '../../../locales/zh-CN/common.json'
import { loadPack } from '../theme/antd-scope'
import { dayPattern, firstDayOf, formats } from './format'
import { LANGUAGES, type Language } from './languages'

const PACKS: Partial<Record<Language, Record<string, string>>> = { 'zh-CN': zh, en, fr, ar }
const of = (language: Language) => formats(language, (key) => PACKS[language]?.[key] ?? key)
const NBSP = '\u00A0'
const NOON = Date.UTC(2026, 2, 5, 14, 30)

test('[rule.area.unit, const.areas_above_1_000_000_m] above 1,000,000 m² km² are shown', () => {
  expect(of('en').area(1_000_000).text).toBe('1,000,000\u00A0m²')
  expect(of('en').area(1_500_000).text).toBe('1.5\u00A0km²')
})

test('numbers and percent are the language’s own', () => {
  expect(of('fr').number(1234.5, 1)).toBe('1\u202F234,5')
  expect(of('fr').percent(0.985, 1)).toBe('98,5\u00A0%')
  expect(of('en').percent(0.985, 1)).toBe('98.5%')
  expect(of('ar').number(1234)).toBe('1,234')
})

test('dates know 24 hours and the zone of the site', () => {
  expect(of('en').dateTime(NOON, 'UTC')).toBe('5 Mar 2026, 14:30')
  expect(of('en').time(Date.UTC(2026, 2, 5), 'UTC')).toBe('00:00')
  expect(of('en').time(NOON, 'Asia/Shanghai')).toBe('22:30')
  expect(of('zh-CN').dateTime(NOON, 'UTC')).toBe('2026年3月5日 14:30')
})

test('durations: two units at most in tables, one in sentences', () => {
  const texts = (language: Language) =>
    [28, 180, 202, 3600, 26 * 3600 + 3 * 60 + 50].map((seconds) => of(language).duration(seconds).replaceAll(NBSP, ' '))
  expect(texts('en')).toEqual(['28 s', '3 min', '3 min 22 s', '1 h', '26 h 3 min'])
  expect(texts('zh-CN')).toEqual(['28秒', '3分钟', '3分钟22秒', '1小时', '26小时3分钟'])
  expect(of('en').span(230)).toBe('0.2\u00A0s')
  expect(of('en').span(14 * 60_000)).toBe('14\u00A0min')
  expect(of('zh-CN').span(14 * 60_000)).toMatch(/^14\s?分钟$/)
})

test('names are listed by the language’s own signs, and none turns the others round', () => {
  const names = ['Lobby', 'Ward']
  expect(of('en').list([...names, 'Hall'])).toBe('Lobby, Ward, Hall')
  expect(of('zh-CN').list([...names, 'Hall'])).toBe('Lobby、Ward、Hall')
  expect(of('ar').list(names)).toBe('\u2068Lobby\u2069 و\u2068Ward\u2069')
  expect(of('en').list([])).toBe('')
})

test.each(['zh-CN', 'en', 'fr', 'ar', 'de', 'ja', 'ko', 'es', 'nl'] as const)(
  '%s writes a date and a time in one style',
  (language) => {
    expect(of(language).dateTime(NOON, 'UTC')).toContain(of(language).date(NOON, 'UTC'))
  },
)

test.each([
  ['zh-CN', 'YYYY/MM/DD', 1],
  ['en', 'DD/MM/YYYY', 1],
  ['fr', 'DD/MM/YYYY', 1],
  ['de', 'DD.MM.YYYY', 1],
  ['nl', 'DD-MM-YYYY', 1],
  ['es', 'DD/MM/YYYY', 1],
  ['ja', 'YYYY/MM/DD', 0],
  ['ko', 'YYYY. MM. DD.', 0],
  ['ar', 'DD/MM/YYYY', 6],
] as const)(
  'a field of %s takes a day as the language writes it, and its week begins as there',
  async (language, pattern, first) => {
    expect(dayPattern(LANGUAGES[language].format)).toBe(pattern)
    const pack = await loadPack(language)
    expect(pack.DatePicker?.lang.fieldDateFormat).toBe(pattern)
    const name = language === 'en' ? 'en-gb' : language.toLowerCase()
    expect(dayjs.Ls[name]?.weekStart ?? 0).toBe(first)
    expect(firstDayOf(LANGUAGES[language].format) % 7).toBe(first)
  },
)

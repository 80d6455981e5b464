import { expect, test } from 'vitest'
import { choice, date, filters, flag, number, several, words } from './filters'

const SET = filters({
  text: words((keyword) => ({ keyword })),
  robot: number((robot) => ({ deviceIds: [robot] }), 'deviceId'),
  from: date((startDate) => ({ startDate })),
  end: choice(['done', 'failed'], (end) => ({ end })),
  state: choice([0, 1], (state) => ({ state })),
  refused: flag(() => ({ refused: 1 as const })),
  levels: several((levels) => ({ levels: [...levels] })),
})
const read = (query: string) => SET.read(new URLSearchParams(query))
const write = (query: string, before = '') => SET.write(read(query), new URLSearchParams(before)).toString()

test('an address without filters narrows nothing and asks for everything', () => {
  expect(SET.narrowed(read(''))).toBe(false)
  expect(SET.payload(read(''))).toEqual({})
  expect(read('')).toEqual(SET.none)
})

test('each filter goes from the address to the payload', () => {
  const values = read('text=hall&deviceId=7&from=2026-03-04&end=failed&state=0&refused=1&levels=4,2')
  expect(SET.payload(values)).toEqual({
    ...{ keyword: 'hall', deviceIds: [7], startDate: '2026-03-04', end: 'failed', state: 0, refused: 1 },
    levels: [4, 2],
  })
  expect(SET.narrowed(values)).toBe(true)
})

test('narrow nothing by an invalid filter', () => {
  const bad = 'deviceId=07&from=2026-02-30&end=lost&state=2&refused=yes&levels=a'
  expect(SET.payload(read(bad))).toEqual({})
  expect(write(bad)).toBe('')
})

test('filters are written as they are read, and what else stands in the address stays', () => {
  const query = 'text=hall&deviceId=7&from=2026-03-04&end=done&state=1&refused=1&levels=4%2C2'
  expect(write(query)).toBe(query)
  expect(write('text=a', 'sort=-name&text=b&end=done')).toBe('sort=-name&text=a')
})

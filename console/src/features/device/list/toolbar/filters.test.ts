import { beforeEach, expect, test } from 'vitest'
import { BACK_TO_TOP_PX, FILTERS, keepSearch, PAGE, storedSearch, TRIGGER_PX } from './filters'

beforeEach(() => sessionStorage.clear())

const read = (query: string) => FILTERS.read(new URLSearchParams(query))

test('a page, its trigger and the button back to the top are as specified', () => {
  expect([PAGE, TRIGGER_PX, BACK_TO_TOP_PX]).toEqual([30, 600, 100])
})

test('[feat.device_list.filters] text, type, owner and state go into the call, and nothing that is not asked for', () => {
  expect(FILTERS.payload(read('text=SC0007&type=2&userId=5&group=4&mode=help'))).toEqual({
    deviceCode: 'SC0007',
    deviceType: 2,
    userId: 5,
    groupId: 4,
    mode: 'help',
  })
  expect(FILTERS.payload(read(''))).toEqual({})
})

test('[feat.device_list.user_param] the route parameter userId selects the owner', () => {
  expect(read('userId=42').owner).toBe(42)
})

test.each(['userId=-1', 'userId=abc', 'type=0', 'mode=flying'])('%s in the URL is passed over', (query) => {
  expect(read(query)).toEqual({ text: '', type: undefined, owner: undefined, group: undefined, mode: undefined })
  expect(FILTERS.narrowed(read(query))).toBe(false)
})

test('filters survive the way through the URL, and leave the rest of it alone', () => {
  const query = new URLSearchParams('view=table&text=Kestrel&type=2&userId=5&group=4&mode=offline')
  expect(FILTERS.write(FILTERS.read(query), query).toString()).toBe(query.toString())
  expect(FILTERS.write(FILTERS.none, query).toString()).toBe('view=table')
})

test('[feat.device_list.search] the last search is kept in the session', () => {
  keepSearch(new URLSearchParams('text=Orla'))
  expect(storedSearch().get('text')).toBe('Orla')
})

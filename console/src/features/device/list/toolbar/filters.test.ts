import { beforeEach, expect, test } from 'vitest'
import {
  BACK_TO_TOP_PX,
  keepSearch,
  PAGE,
  payloadOf,
  readFilters,
  storedSearch,
  TRIGGER_PX,
  writeFilters,
} from './filters'

beforeEach(() => sessionStorage.clear())

test('[const.device_list_page_size] [const.infinite_scroll_trigger_distance] [const.back_to_top] are as specified', () => {
  expect([PAGE, TRIGGER_PX, BACK_TO_TOP_PX]).toEqual([30, 600, 100])
})

test('[feat.device_list.filters] text, type, owner and state go into the call, and nothing that is not asked for', () => {
  const filters = readFilters(new URLSearchParams('text=SC0007&type=2&userId=5&group=4&mode=help'))
  expect(payloadOf(filters)).toEqual({
    deviceCode: 'SC0007',
    deviceType: 2,
    userId: 5,
    groupId: 4,
    mode: 'help',
    isPc: '1',
  })
  expect(payloadOf(readFilters(new URLSearchParams()))).toEqual({ isPc: '1' })
})

test('[feat.device_list.user_param] the route parameter userId selects the owner', () => {
  expect(readFilters(new URLSearchParams('userId=42')).owner).toBe(42)
})

test.each(['userId=-1', 'userId=abc', 'type=0', 'mode=flying', 'view=wall'])(
  '%s in the URL is passed over',
  (query) => {
    const filters = readFilters(new URLSearchParams(query))
    expect(filters).toEqual({
      ...{ text: '', type: undefined, owner: undefined, group: undefined, mode: undefined, view: 'cards' },
    })
  },
)

test('filters survive the way through the URL', () => {
  const query = new URLSearchParams('text=Kestrel&type=2&userId=5&group=4&mode=offline&view=table')
  expect(writeFilters(readFilters(query)).toString()).toBe(query.toString())
})

test('[feat.device_list.search] the last search is kept in the session', () => {
  keepSearch(new URLSearchParams('text=Orla'))
  expect(storedSearch().get('text')).toBe('Orla')
})

import { expect, test } from 'vitest'
import { isFarDown, nearEnd } from './use-scroll'

test('[const.infinite_scroll_trigger_distance] the next page is asked for less than 600 px before the end', () => {
  const at = (scrollTop: number) => nearEnd({ scrollTop, clientHeight: 800, scrollHeight: 3000 })
  expect([at(1600), at(1601)]).toEqual([false, true])
})

test('[const.back_to_top] the button comes after more than 100 px, not at 100', () => {
  expect([isFarDown({ scrollTop: 100 }), isFarDown({ scrollTop: 101 })]).toEqual([false, true])
})

import { expect, test } from 'vitest'
import { measure } from './measure'

const p = (x: number, y: number) => ({ x, y })

test('measuring tells the length and leaves the map alone', () => {
  const lengths: (number | undefined)[] = []
  const tool = measure((m) => lengths.push(m?.metres))
  tool.down(p(0, 0))
  tool.move(p(3, 4))
  tool.up(p(3, 4))
  tool.move(p(9, 9))
  expect(lengths).toEqual([undefined, 5, 5])
})

test('a cancelled length is taken away', () => {
  const lengths: (number | undefined)[] = []
  const tool = measure((m) => lengths.push(m?.metres))
  tool.down(p(0, 0))
  tool.move(p(3, 4))
  tool.cancel()
  tool.move(p(9, 9))
  expect(lengths).toEqual([undefined, 5, undefined])
})

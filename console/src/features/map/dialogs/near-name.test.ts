import { expect, test } from 'vitest'
import { nearName } from './near-name'

const NAMES = ['Kestrel Quay Hotel', '1', '10', '上海中心']

test.each([
  ['kestrel quay hotel', 'Kestrel Quay Hotel'],
  ['Kestrel-Quay Hotel', 'Kestrel Quay Hotel'],
  ['Kestral Quay Hotel', 'Kestrel Quay Hotel'],
  [' Kestrel Quay Hotel ', undefined],
  ['Jade Gate Mall', undefined],
  ['Kestrel', undefined],
  ['2', undefined],
  ['上海中塔', undefined],
  ['', undefined],
])('“%s” is nearly the name %s', (typed, near) => expect(nearName(typed, NAMES)).toBe(near))

import { expect, test } from 'vitest'
import { passwordFault } from './new-password'

test.each([
  ['short', 'shell:password-short'],
  ['        ', 'shell:password-spaces'],
  ['Old-one-12', 'shell:password-same'],
  ['Cleaner712', 'shell:password-like-name'],
  ['cleaner7', 'shell:password-like-name'],
  ['Better-one-2', undefined],
  ['cleaner7-is-fine', undefined],
])('a new password %j is answered by %s before it is sent', (password, fault) => {
  expect(passwordFault(password, 'cleaner7', 'Old-one-12')).toBe(fault)
})

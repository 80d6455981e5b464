import { expect, test } from 'vitest'
import { randomCode } from './random'
import { sign } from './signature'

const KEY = '000102030405060708090a0b0c0d0e0f'

test('[rule.signature.window] [feat.helper.signature] the signature is the time plus 20 s, AES-CBC, iv first', async () => {
  const signature = Buffer.from(await sign(KEY, 1_700_000_000_000), 'base64')
  const key = await crypto.subtle.importKey('raw', Buffer.from(KEY, 'hex'), 'AES-CBC', false, ['decrypt'])
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-CBC', iv: signature.subarray(0, 16) },
    key,
    signature.subarray(16),
  )
  expect(new TextDecoder().decode(plain)).toBe('1700000020000')
})

test('[rule.random.string] [feat.helper.random_string] eight readable characters', () => {
  for (let i = 0; i < 100; i++) expect(randomCode()).toMatch(/^[2-9A-HJ-NP-Za-km-z]{8}$/)
  expect(randomCode(20)).toHaveLength(20)
})

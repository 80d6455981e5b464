// Verifies a webhook of Lustra's (Standard Webhooks) with Node alone.
import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_S = 300

/** `secret` as the console shows it; `headers` by lower-case names; `body`: the bytes as they came, before they are parsed. */
export function verify(secret, headers, body) {
  if (Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) > TOLERANCE_S) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hmac = createHmac('sha256', key)
  hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(body)
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`)
  return headers['webhook-signature']
    .split(' ')
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

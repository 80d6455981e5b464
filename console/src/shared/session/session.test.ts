/** Who is logged in here, in one tab of several. */
import { expect, test, vi } from 'vitest'
import { begin, currentSession } from './session'

const LOGGED_IN = {
  ...{ userId: 3, token: 't', uuid: 'u', account: 'user', name: 'User', url: '', levelDepth: 3, shadowId: null },
  permissionBeans: [{ key: 'device/index' }],
}

test('another tab’s log-out ends the session here too', () => {
  begin(LOGGED_IN)
  const key = Object.keys(localStorage).find((name) => name.endsWith('-session'))
  if (key === undefined) throw new Error('nothing is stored')
  localStorage.removeItem(key)
  dispatchEvent(new StorageEvent('storage', { key: 'something else' }))
  expect(currentSession()?.userId).toBe(3)
  dispatchEvent(new StorageEvent('storage', { key }))
  expect(currentSession()).toBeUndefined()
})

test('[const.cookie_expiry, const.storage_key_and_build_version] a restart of the browser logs nobody out', () => {
  const written = vi.spyOn(document, 'cookie', 'set')
  begin(LOGGED_IN)
  for (const name of ['token', 'uuid']) {
    const cookie = written.mock.calls.map(([text]) => text).find((text) => text.startsWith(`${name}=`))
    expect(Number(cookie?.match(/Max-Age=(\d+)/)?.[1])).toBeGreaterThanOrEqual(365 * 24 * 3600)
  }
  expect(localStorage.getItem('lustra-1.20.0-session')).toContain('"userId":3')
  written.mockRestore()
})

/** Who is logged in here, in one tab of several. */
import { expect, test } from 'vitest'
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

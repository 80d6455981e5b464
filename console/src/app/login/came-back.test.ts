import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTexts } from '@/shared/i18n/i18n'
import { currentSession, end, useSessionStore } from '@/shared/session/session'
import { forgetSignedOn, signedOn } from '@/shared/session/signed-on'
import { cameBack, resetCodeOf } from './came-back'

const SESSION = {
  userId: 3,
  token: 'tok',
  uuid: 'u',
  account: 'dealer',
  name: '',
  url: '',
  levelDepth: 2,
  shadowId: null,
}
const requests: { path: string; payload: unknown }[] = []
let answer: object

beforeAll(async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the language is read from it
  document.cookie = 'language=en'
  await startTexts([])
})
beforeEach(() => {
  requests.length = 0
  answer = { message: { code: 0, message: '' }, data: { ...SESSION, permissionBeans: [], language: 'en' } }
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    requests.push({ path, payload: JSON.parse(body) })
    return Response.json(answer)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  forgetSignedOn()
  end()
  useSessionStore.setState({ farewell: undefined })
})

const opened = (query: string) => cameBack(`${location.origin}/login${query}`)
const begun = () => useSessionStore.setState({ session: { ...SESSION, permissionKeys: {} } })

test('[route.login] without anything in its URL the log-in page stands, or leads on who is logged in', async () => {
  expect(await opened('?redirect=%2Fuser%2Findex')).toBeNull()
  begun()
  expect(await opened('?redirect=%2Fuser%2Findex')).toBe('/user/index')
  expect(requests).toEqual([])
})

test('the link of a mail for a new password shows the log-in page, also to who is logged in', async () => {
  begun()
  expect(await opened('#reset=abc')).toBeNull()
  expect(resetCodeOf(`${location.origin}/login#reset=abc`)).toBe('abc')
  expect(resetCodeOf(`${location.origin}/login?reset=abc`)).toBe('')
})

test('a code becomes a session, and leaves the URL with the page that was asked for', async () => {
  expect(await opened('?code=once&redirect=%2Fdevice%2Findex%3Fa%3D1')).toBe('/device/index?a=1')
  expect(requests).toEqual([{ path: '/api/sso/exchange', payload: { code: 'once', language: 'en' } }])
  expect(currentSession()?.token).toBe('tok')
})

test('remove a refused code from the URL, and show on the log-in page why', async () => {
  answer = { message: { code: 40036, message: 'No account is connected' }, data: null }
  expect(await opened('?code=once&redirect=%2Fuser%2Findex')).toBe('/login?redirect=%2Fuser%2Findex')
  expect(useSessionStore.getState().farewell).toBe('No account is connected')
})

test.each([
  ['SSO_OVER', /took too long/],
  ['TOO_MANY_TRIES', /Single sign-on failed/],
  ['<b>anything</b>', /Single sign-on failed/],
])('show a refusal named %s in words of our own', async (name, words) => {
  expect(await opened(`?refused=${encodeURIComponent(name)}`)).toBe('/login?redirect=%2Findex')
  expect(useSessionStore.getState().farewell).toMatch(words)
})

test('a code to connect goes with the session that is here, and the account menu tells the end', async () => {
  begun()
  expect(await opened('?connect=once&redirect=%2Fuser%2Findex')).toBe('/user/index')
  expect(requests).toEqual([{ path: '/api/sso/connect', payload: { code: 'once' } }])
  expect(signedOn()).toEqual({})
  answer = { message: { code: 40037, message: 'Another account is connected' }, data: null }
  await opened('?connect=twice')
  expect(signedOn()).toEqual({ problem: 'Another account is connected' })
})

test('without a session nothing is connected', async () => {
  expect(await opened('?connect=once')).toBe('/login?redirect=%2Findex')
  expect(requests).toEqual([])
})

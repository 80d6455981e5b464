import i18next from 'i18next'
import { expect, test } from 'vitest'
import en from '../../../locales/en/common.json'
import zh from '../../../locales/zh-CN/common.json'
import type { TextKey, Translate } from '../i18n/text'
import { errorText } from './error-text'
import { LoggedOut, Unreached } from './refusal'

const WORDS = {
  400: 'Bad request',
  403: 'Access denied',
  404: 'Address not found: /api/x',
  408: 'Request timed out',
  500: 'Internal server error',
  501: 'Service not implemented',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timed out',
  505: 'HTTP version not supported',
}

async function texts(language: string, pack: object): Promise<Translate<TextKey<'common'>>> {
  const own = i18next.createInstance()
  await own.init({ lng: language, ns: ['common'], defaultNS: 'common', resources: { [language]: { common: pack } } })
  return (key, values = {}) => own.t(key, values)
}

test('[err.http.400, err.http.403, err.http.408, err.http.501, err.http.502, err.http.504, err.http.505] a status is said in its words', async () => {
  const t = await texts('en', en)
  for (const [status, words] of Object.entries(WORDS))
    expect(errorText(t, new Unreached(Number(status), '/api/x'))).toBe(words)
  const chinese = await texts('zh-CN', zh)
  const spoken = Object.keys(WORDS).map((status) => errorText(chinese, new Unreached(Number(status), '/api/x')))
  expect(new Set(spoken).size).toBe(spoken.length)
  expect(spoken.every((text) => /\p{Script=Han}/u.test(text ?? ''))).toBe(true)
})

test('where nothing answered, the work that failed is named', async () => {
  const t = await texts('en', en)
  expect(errorText(t, new Unreached(0, '/api/x'), 'Save')).toBe(t('operation-failed', { action: 'Save' }))
  expect(errorText(t, new LoggedOut('x'), 'Save')).toBeUndefined()
})

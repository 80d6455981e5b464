import i18next from 'i18next'
import { afterEach, expect, test, vi } from 'vitest'
import { readCookie } from '../session/session'
import { chooseLanguage, currentLanguage, loadTexts, startTexts } from './i18n'
import { LANGUAGES, languageOf } from './languages'

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the language is kept there
  document.cookie = 'language=; Max-Age=0'
})

test('[feat.languages] [lang.zh-CN, lang.en, lang.fr, lang.ko, lang.de, lang.nl, lang.ja, lang.es, lang.ar] [i18n.default] [i18n.store] nine languages, Chinese until another is chosen, and the choice in a cookie', async () => {
  expect(Object.keys(LANGUAGES)).toEqual(['zh-CN', 'en', 'fr', 'ko', 'de', 'nl', 'ja', 'es', 'ar'])
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['pt-BR']) // none of the nine
  await startTexts([])
  await loadTexts()
  expect(currentLanguage()).toBe('zh-CN')
  for (const language of ['en', 'ar', 'zh-CN'] as const) {
    await chooseLanguage(language)
    expect(currentLanguage()).toBe(language)
    expect(document.documentElement.dir).toBe(language === 'ar' ? 'rtl' : 'ltr')
    expect(readCookie('language')).toBe(language)
  }
})

/** No pack comes, until it is taken back. */
const losePacks = () =>
  vi
    .spyOn(i18next.services.backendConnector.backend, 'read')
    .mockImplementation((...[, , done]: unknown[]) => (done as (error: Error) => void)(new Error('lost')))

test('[i18n.store] a language whose texts do not come leaves the one before, and comes when it is chosen again', async () => {
  await chooseLanguage('en')
  const lost = losePacks()
  await expect(chooseLanguage('nl')).rejects.toThrow('no texts of common in nl')
  expect([currentLanguage(), document.documentElement.lang, readCookie('language')]).toEqual(['en', 'en', 'en'])
  lost.mockRestore()
  await chooseLanguage('nl')
  expect([currentLanguage(), i18next.t('common:language')]).toEqual(['nl', 'Taal'])
})

test('a screen whose texts do not come fails, and has them when it is opened again', async () => {
  await chooseLanguage('en')
  const lost = losePacks()
  await expect(loadTexts('chart')).rejects.toThrow('no texts of chart in en')
  lost.mockRestore()
  await loadTexts('chart')
  expect(i18next.hasResourceBundle('en', 'chart')).toBe(true)
})

test.each([
  [['pt-BR', 'de-AT', 'en'], 'de'],
  [['en-US'], 'en'],
  [['zh-TW'], 'zh-CN'],
  [['ar-EG', 'en'], 'ar'],
  [[], 'zh-CN'],
])('[i18n.default] before anybody chooses, a browser that asks for %s gets %s', (tags, language) => {
  expect(languageOf(tags)).toBe(language)
})

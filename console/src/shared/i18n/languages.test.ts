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

test.each([
  [['pt-BR', 'de-AT', 'en'], 'de'],
  [['en-US'], 'en'],
  [['zh-TW'], 'zh-CN'],
  [['ar-EG', 'en'], 'ar'],
  [[], 'zh-CN'],
])('[i18n.default] before anybody chooses, a browser that asks for %s gets %s', (tags, language) => {
  expect(languageOf(tags)).toBe(language)
})

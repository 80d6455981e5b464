import { afterEach, expect, test } from 'vitest'
import { readCookie } from '../session/session'
import { chooseLanguage, currentLanguage, loadTexts, startTexts } from './i18n'
import { LANGUAGES } from './languages'

afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the language is kept there
  document.cookie = 'language=; Max-Age=0'
})

test('[feat.languages] [lang.zh-CN, lang.en, lang.fr, lang.ko, lang.de, lang.nl, lang.ja, lang.es, lang.ar] [i18n.default] [i18n.store] nine languages, Chinese until another is chosen, and the choice in a cookie', async () => {
  expect(Object.keys(LANGUAGES)).toEqual(['zh-CN', 'en', 'fr', 'ko', 'de', 'nl', 'ja', 'es', 'ar'])
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

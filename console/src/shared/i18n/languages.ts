/** The nine languages: a person's choice, kept in a cookie, else the first of the browser's that stands here, else zh-CN. */
import { keysOf } from '@/shared/keys'

export const LANGUAGES = {
  'zh-CN': { name: '简体中文', format: 'zh-CN', rtl: false },
  en: { name: 'English', format: 'en-GB', rtl: false },
  fr: { name: 'Français', format: 'fr', rtl: false },
  ko: { name: '한국어', format: 'ko', rtl: false },
  de: { name: 'Deutsch', format: 'de', rtl: false },
  nl: { name: 'Nederlands', format: 'nl', rtl: false },
  ja: { name: '日本語', format: 'ja', rtl: false },
  es: { name: 'Español', format: 'es', rtl: false },
  ar: { name: 'العربية', format: 'ar-u-nu-latn', rtl: true },
} as const

export type Language = keyof typeof LANGUAGES
export const DEFAULT: Language = 'zh-CN'

export const isLanguage = (tag: unknown): tag is Language => typeof tag === 'string' && tag in LANGUAGES

/** The first of them that stands here, by its tag or by its language alone. */
export function languageOf(tags: readonly string[]): Language {
  const known = keysOf(LANGUAGES)
  const stem = (tag: string) => tag.toLowerCase().split('-')[0]
  for (const tag of tags) {
    const language = known.find((other) => other === tag) ?? known.find((other) => stem(other) === stem(tag))
    if (language) return language
  }
  return DEFAULT
}

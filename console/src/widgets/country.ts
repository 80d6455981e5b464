/** A country's name in the user's language. */
import { useMemo } from 'react'
import { currentLanguage } from '@/shared/i18n/i18n'

export function useCountry() {
  const language = currentLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' })
    return (code: string) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
  }, [language])
}

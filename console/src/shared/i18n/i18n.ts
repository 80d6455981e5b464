/** Texts: one pack per language and feature, loaded when first used; `common` holds the glossary's words and stands behind every feature. */
import i18next, { type BackendModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { call, speak } from '../rpc/call'
import { currentSession, readCookie, writeCookie } from '../session/session'
import { DEFAULT, isLanguage, LANGUAGES, type Language, languageOf } from './languages'
import type { Pack } from './text'

const COOKIE = 'language'
const YEAR_S = 365 * 24 * 3600
const packs = import.meta.glob<Record<string, string>>('../../../locales/*/*.json', { import: 'default' })

const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, space, done) => {
    const load = packs[`../../../locales/${language}/${space}.json`]
    if (!load) return done(new Error(`no ${space} in ${language}`), false)
    load().then(
      (pack) => done(null, pack),
      (error: Error) => done(error, false),
    )
  },
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : DEFAULT
}

function chosen(): Language {
  const cookie = readCookie(COOKIE)
  return isLanguage(cookie) ? cookie : languageOf(navigator.languages)
}

function apply(language: Language) {
  speak(language)
  document.documentElement.lang = language
  document.documentElement.dir = LANGUAGES[language].rtl ? 'rtl' : 'ltr'
}

export async function startTexts(spaces: readonly Pack[]) {
  i18next.on('languageChanged', (tag) => isLanguage(tag) && apply(tag))
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: chosen(),
      fallbackLng: false, // every language has every text: `make check` sees to it
      supportedLngs: Object.keys(LANGUAGES),
      ns: ['common', ...spaces],
      defaultNS: 'common',
      fallbackNS: 'common',
      keySeparator: false,
      nsSeparator: ':',
      interpolation: { escapeValue: false }, // React escapes
    })
  i18next.services.formatter?.add('number', (value: number, tag) =>
    new Intl.NumberFormat(isLanguage(tag) ? LANGUAGES[tag].format : tag).format(value),
  )
}

/** The router begins its first page while texts still start; asked too early, i18next loads nothing and says so to nobody. */
const started = new Promise<void>((resolve) => i18next.on('initialized', () => resolve()))

/** Fails where a pack does not come: i18next would show keys in its place, and not ask for it again. */
async function demandPacks(language: string, spaces: readonly string[]) {
  const missing = () => spaces.filter((space) => !i18next.hasResourceBundle(language, space))
  if (missing().length > 0) await i18next.reloadResources(language, missing())
  if (missing().length > 0) throw new Error(`no texts of ${missing().join(', ')} in ${language}`)
}

/** Loads a feature's pack before its screen is shown, so that no text flashes. Throws where it does not come. */
export async function loadTexts(...spaces: readonly Pack[]) {
  await started
  await i18next.loadNamespaces(spaces)
  await demandPacks(currentLanguage(), ['common', ...spaces])
}

/** All stays in the language before where packs of the new one do not come. */
async function changeLanguage(language: Language) {
  await demandPacks(language, [i18next.options.ns ?? []].flat())
  await i18next.changeLanguage(language)
}

/** The user's choice: kept in the cookie and, when logged in, by the server. Throws where its texts do not come. */
export async function chooseLanguage(language: Language) {
  await changeLanguage(language)
  writeCookie(COOKIE, language, YEAR_S)
  const session = currentSession()
  // The cookie keeps it; a server that is away hears it at the next log-in.
  if (session) await call('/setLanguage', { userId: session.userId, language }).catch(() => undefined)
}

/** The server's memory of the choice counts where this browser has none. */
export async function adoptLanguage(language: unknown) {
  if (isLanguage(language) && !readCookie(COOKIE)) await changeLanguage(language).catch(() => undefined) // as before
}

/** The log-in page: no live number of the installation; demo accounts and the demo sentence in demo mode only. Light on purpose: no component library. */
import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { chooseLanguage, currentLanguage } from '@/shared/i18n/i18n'
import { isLanguage, LANGUAGES, type Language } from '@/shared/i18n/languages'
import { useTranslation } from '@/shared/i18n/text'
import { Logo } from '@/shared/marks/logo'
import { StateMark } from '@/shared/marks/state-mark'
import { call } from '@/shared/rpc/call'
import { VERSION } from '@/shared/session/session'
import { resetCodeOf } from './came-back'
import { type Demo, DemoAccounts } from './demo-accounts'
import { Floor } from './floor'
import { LoginForm } from './login-form'
import styles from './login-page.module.css'
import { SingleSignOn } from './single-sign-on'

interface About {
  readonly demo: Demo | undefined
  /** Of single sign-on; null: there is none. */
  readonly provider: string | null
  /** Whether mails are sent; undefined: not known yet. */
  readonly mails: boolean | undefined
}

function useAbout(): About {
  const language = currentLanguage()
  const [about, setAbout] = useState<About>({ demo: undefined, provider: null, mails: undefined })
  // biome-ignore lint/correctness/useExhaustiveDependencies: roles come in the language of the page
  useEffect(() => {
    const controller = new AbortController()
    call('/about', {}, controller.signal)
      .then((about) =>
        setAbout({ demo: about.demo ? (about as Demo) : undefined, provider: about.sso, mails: about.mails }),
      )
      .catch(() => undefined) // the form works without it and says itself when the server is away
    return () => controller.abort()
  }, [language])
  return about
}

const ForgotPassword = lazy(async () => ({ default: (await import('./forgot-password')).ForgotPassword }))
const ResetPassword = lazy(async () => ({ default: (await import('./reset-password')).ResetPassword }))

interface Props {
  /** The path that a log-in leads to. */
  after: string
  /** The session has begun. */
  onEnter(): void
}

export function LoginPage({ after, onEnter }: Props) {
  const { t } = useTranslation('login')
  const { demo, provider, mails } = useAbout()
  const [code, setCode] = useState(() => resetCodeOf(location.href))
  const [forgot, setForgot] = useState(false)
  const [set, setSet] = useState(false)
  const leaveLink = (done: boolean) => {
    history.replaceState(null, '', location.pathname + location.search) // the code is worth nothing any more
    setCode('')
    setSet(done)
  }
  const [filled, setFilled] = useState({ account: '', password: '' })
  useEffect(() => {
    document.title = `${t('log-in')} · Lustra`
  })
  return (
    <div className={styles.page}>
      <main className={styles.side}>
        <div className={styles.top}>
          <Logo size={34} />
          <span className={styles.name}>Lustra</span>
          <LanguageSelect />
        </div>
        <div className={styles.middle}>
          <h1>{t('log-in')}</h1>
          <p>{t('tagline')}</p>
          <Suspense>
            {code && <ResetPassword code={code} onDone={leaveLink} />}
            {!code && forgot && <ForgotPassword mails={mails !== false} onBack={() => setForgot(false)} />}
          </Suspense>
          {!code && !forgot && (
            <>
              {set && (
                <p role="status" className={styles.note}>
                  {t('password-set')}
                </p>
              )}
              <LoginForm filled={filled} onEnter={onEnter} />
              <button type="button" className={styles.link} onClick={() => setForgot(true)}>
                {t('forgot')}
              </button>
              {provider !== null && <SingleSignOn provider={provider} after={after} />}
            </>
          )}
          {demo && <DemoAccounts demo={demo} onPick={(account) => setFilled({ account, password: demo.password })} />}
        </div>
        <footer className={styles.foot}>
          <span>
            Lustra <bdi>{VERSION}</bdi>
          </span>
          <span>{t('self-hosted')}</span>
        </footer>
      </main>
      <div className={styles.picture}>
        <Floor />
        {demo && (
          <div className={styles.card}>
            <StateMark state="cleaning" size={30} />
            <div>
              <strong>{t('demo-robots', { count: demo.robots })}</strong>
              <span>{t('demo-note')}</span>
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

/** The browser's own list: light, and right on every screen. */
function LanguageSelect() {
  const { t } = useTranslation('login')
  const choose = (language: Language) => chooseLanguage(language).catch(() => undefined) // it shows the one that stays
  return (
    <label className={styles.language}>
      <IconLanguage size={16} stroke={1.75} aria-hidden="true" />
      <select
        aria-label={t('language')}
        value={currentLanguage()}
        onChange={({ target }) => isLanguage(target.value) && void choose(target.value)}
      >
        {Object.entries(LANGUAGES).map(([tag, { name }]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} stroke={1.75} aria-hidden="true" />
    </label>
  )
}

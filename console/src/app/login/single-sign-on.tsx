/** The way through the provider of single sign-on: the browser itself goes there, so it is a link. */
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { afterLogin } from '../guard'
import styles from './login-page.module.css'

export function SingleSignOn({ provider }: { provider: string }) {
  const { t } = useTranslation('login')
  const [query] = useSearchParams()
  const back = afterLogin(query.get('redirect'), location.origin)
  return (
    <>
      <div className={styles.or}>{t('or')}</div>
      <a className={styles.other} href={`/api/sso/login?redirect=${encodeURIComponent(back)}`}>
        {provider ? t('sso-with', { name: provider }) : t('sso')}
      </a>
    </>
  )
}

/** The way through the provider of single sign-on: the browser itself goes there, so it is a link. */
import { BASE } from '@/shared/base'
import { useTranslation } from '@/shared/i18n/text'
import styles from './login-page.module.css'

export function SingleSignOn({ provider, after }: { provider: string; after: string }) {
  const { t } = useTranslation('login')
  return (
    <>
      <div className={styles.or}>{t('or')}</div>
      <a className={styles.other} href={`${BASE}/api/sso/login?redirect=${encodeURIComponent(after)}`}>
        {provider ? t('sso-with', { name: provider }) : t('sso')}
      </a>
    </>
  )
}

/** Outside the layout: no such page, or one that could not start. */
import { useEffect } from 'react'
import { Link, useRouteError } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { Logo } from '@/shared/marks/logo'
import { reportError } from '@/shared/rpc/client-error'
import { Row } from '@/shared/ui/layout'
import styles from './not-found.module.css'

export function NotFound() {
  const { t } = useTranslation('common')
  useEffect(() => {
    document.title = `${t('page-not-found')} · Lustra`
  })
  return (
    <Row as="main" stack gap="m" align="center" justify="center" className={styles.page}>
      <Logo size={34} />
      <h1>404</h1>
      <p>{t('page-not-found')}</p>
      <Link to="/index">{t('status-monitoring')}</Link>
    </Row>
  )
}

/** The layout's code did not load, or it failed itself: mostly a new version on the server, or no connection. */
export function RootError() {
  const { t } = useTranslation('common')
  const error = useRouteError()
  useEffect(() => reportError('render', error), [error])
  return (
    <Row as="main" stack gap="m" align="center" justify="center" className={styles.page} role="alert">
      <Logo size={34} />
      <p>{t('load-failed')}</p>
      <button type="button" onClick={() => location.reload()}>
        {t('refresh')}
      </button>
    </Row>
  )
}

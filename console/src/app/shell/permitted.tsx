/** A page whose key the account lacks says so, and names the permission after the page of that key. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useSession } from '@/shared/session/session'
import { Nothing } from '@/shared/ui/query-view'
import { permitted } from '../menu'
import { PAGES } from '../pages'
import { INDEX, type Page } from '../pages/page'

export function Permitted({ page, children }: { page: Page; children: ReactNode }) {
  const { t } = useTranslation('shell')
  if (permitted(page, useSession()?.permissionKeys ?? {})) return children
  const { title } = PAGES.find(({ path }) => path === `/${page.key}`) ?? page
  return (
    <Nothing
      role="alert"
      why={
        <>
          <strong>{t('common:no-permission')}</strong>
          <br />
          {t('no-permission-hint', { permission: t(`common:${title}`) })}
        </>
      }
      action={<Link to={INDEX}>{t('common:status-monitoring')}</Link>}
    />
  )
}

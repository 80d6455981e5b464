/** A page whose key the account lacks says so, and which key it is. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useSession } from '@/shared/session/session'
import { Nothing } from '@/shared/ui/query-view'
import { permitted } from '../menu'
import { INDEX, type Page } from '../pages/page'

export function Permitted({ page, children }: { page: Page; children: ReactNode }) {
  const { t } = useTranslation('shell')
  if (permitted(page, useSession()?.permissionKeys ?? {})) return children
  return (
    <Nothing
      role="alert"
      why={
        <>
          <strong>{t('common:no-permission')}</strong>
          <br />
          {t('no-permission-hint', { key: page.key })}
        </>
      }
      action={<Link to={INDEX}>{t('common:status-monitoring')}</Link>}
    />
  )
}

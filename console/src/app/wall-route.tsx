/** The big screen's own frame: queries, and the server's word of what became stale; no menu, no header, no tabs. */
import type { ComponentType } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useSession } from '@/shared/session/session'
import { Nothing } from '@/shared/ui/query-view'
import { BIG_SCREEN } from './pages'
import { Permitted } from './shell/permitted'
import { Providers } from './shell/providers'
import { useStale } from './shell/use-stale'

export function WallRoute({ screen: Screen }: { screen: ComponentType }) {
  const { t } = useTranslation('wall')
  const session = useSession()
  useStale()
  if (!session) return <Nothing role="alert" why={t('link-ended')} />
  return (
    <Providers>
      <Permitted page={BIG_SCREEN}>
        <Screen />
      </Permitted>
    </Providers>
  )
}

/** Foot of the menu: is the picture live, how old is the newest word from the fleet, which build this is. */

import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useConnection, useNow, useShow } from '@/shared/live/live'
import { VERSION } from '@/shared/session/session'
import styles from './side-menu.module.css'

const COUNTS = { counts: true }

export function Freshness({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation('shell')
  const { state, lastFrameAt } = useConnection()
  const now = useNow()
  const { span } = useFormats()
  useShow(COUNTS)
  const words =
    state === 'live' ? (
      <>
        {t('live')} · <bdi>{span(now - lastFrameAt)}</bdi>
      </>
    ) : (
      t(state === 'lost' ? 'common:connection-lost' : 'connecting')
    )
  return (
    <footer className={styles.foot} data-state={state}>
      <i className={styles.dot} aria-hidden="true" />
      {!collapsed && <span className={styles.live}>{words}</span>}
      {!collapsed && <bdi className={styles.version}>{VERSION}</bdi>}
    </footer>
  )
}

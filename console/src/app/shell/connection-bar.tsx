/** Says that there is no connection, since when, and what that means: until then nothing on the screen may be believed. */
import { Button } from '@/shared/controls/button'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { live, useConnection, useNow } from '@/shared/live/live'
import { StateMark } from '@/shared/marks/state-mark'
import { Row } from '@/shared/ui/layout'
import styles from './shell.module.css'

const PATIENCE_MS = 5000 // a server that starts anew is back before

export function ConnectionBar() {
  const { t } = useTranslation('shell')
  const { state, lastFrameAt } = useConnection()
  const now = useNow()
  const { time } = useFormats()
  const lost = (state === 'lost' || state === 'connecting') && lastFrameAt > 0 && now - lastFrameAt > PATIENCE_MS
  return (
    <div role="alert">
      {lost && (
        <Row wrap gap="m" lines="xxs" align="center" className={styles.lost}>
          <StateMark state="offline" />
          <b>{t('no-connection', { time: time(lastFrameAt) })}</b>
          <span>{t('no-connection-how')}</span>
          <Button size="small" onClick={() => live.reconnect()}>
            {t('common:retry')}
          </Button>
        </Row>
      )}
    </div>
  )
}

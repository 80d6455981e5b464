/** Alarms of seven days, the share of robots that is connected, and how soon somebody helps. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { useCounts } from '@/shared/live/live'
import type { Answer } from '@/shared/rpc/contract'
import { Row, Text } from '@/shared/ui/layout'
import { AlarmColumns } from '@/widgets/alarm/alarm-columns'
import styles from './big-screen.module.css'
import { Tile } from './tile'

const HEIGHT = 130

export function AlarmsTile({ screen, at }: { screen: Answer<'/board/bigScreen'>; at: number }) {
  const { t } = useTranslation('wall')
  const { number, percent, span } = useFormats()
  const counts = useCounts()
  const total = counts?.total ?? 0
  const online = total - (counts?.modes.offline ?? 0)
  const days = screen.alarms.map(({ date, alarms, notices }) => ({ at: Date.parse(`${date}T12:00Z`), alarms, notices }))
  const sum = (of: 'alarms' | 'notices') => days.reduce((all, day) => all + day[of], 0)
  return (
    <Tile title={t('alarms-of-week')} at={at} className={styles.alarms}>
      <Text tone="quiet">
        {t('alarms-and-notices', {
          alarms: t('alarms', { count: sum('alarms') }),
          notices: t('notices', { count: sum('notices') }),
        })}
      </Text>
      <div className={styles.columns}>
        <AlarmColumns days={days} height={HEIGHT} />
      </div>
      <Row gap="xl" justify="between" className={styles.figures}>
        <div>
          <b>{total > 0 ? percent(online / total, 1) : '–'}</b>
          <Text tone="quiet">{t('online-of', { online: number(online), total: number(total) })}</Text>
        </div>
        {screen.helpS !== null && (
          <div>
            <b>{span(screen.helpS * 1000)}</b>
            <Text tone="quiet">{t('to-help')}</Text>
          </div>
        )}
      </Row>
    </Tile>
  )
}

/** What the robot itself says is wrong, and what its silence means; each with what it means for the work. */
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import type { LiveRow } from '@/shared/live/frames'
import { StateMark } from '@/shared/ui/state-mark'
import { useCause } from '@/widgets/cause'
import styles from './control.module.css'

const BANNER = {
  map_not_selected: 'banner-map-not-selected',
  position_unconfirmed: 'banner-position-unconfirmed',
  low_battery: 'banner-low-battery',
  disinfectant_level: 'banner-disinfectant-level',
  manual_mode: 'banner-manual-mode',
  brake: 'banner-brake',
  emergency_stop: 'banner-emergency-stop',
  serial_error: 'banner-serial-connection',
} as const

/** Why a robot is offline; without a known reason just that it is. */
const SILENCE = {
  never_connected: 'offline-never',
  no_heartbeat: 'offline-silent',
  switched_off: 'offline-switched-off',
} as const

const isReason = (name: string | null): name is keyof typeof SILENCE => name !== null && name in SILENCE
const isBanner = (name: string): name is keyof typeof BANNER => name in BANNER

export function Banners({ row, connected }: { row: LiveRow; connected: boolean }) {
  const { t } = useTranslation('control')
  const { dateTime } = useFormats()
  const cause = useCause()
  return (
    <>
      {!connected && (
        <div className={styles.banner} data-tone="offline" role="alert">
          <StateMark state="offline" />
          <b>{t('connection-lost')}</b>
          <span>{t('shown-is-old')}</span>
        </div>
      )}
      {row.mode === 'offline' && (
        <div className={styles.banner} data-tone="offline" role="alert">
          <StateMark state="offline" />
          <b>{isReason(row.offlineReason) ? t(SILENCE[row.offlineReason]) : t('offline')}</b>
          {row.offlineSince && <span>{t('since', { time: dateTime(row.offlineSince) })}</span>}
        </div>
      )}
      {row.mode === 'help' && (
        <div className={styles.banner} data-tone="help" role="alert">
          <StateMark state="help" />
          <b>{cause(row)}</b>
          {row.help.startsWith('0x') && (
            <bdi dir="ltr" className={styles.code}>
              {row.help}
            </bdi>
          )}
        </div>
      )}
      {row.banners.filter(isBanner).map((banner) => (
        <div key={banner} className={styles.banner} role="status">
          <StateMark state="warning" />
          <b>{t(BANNER[banner])}</b>
        </div>
      ))}
    </>
  )
}

/** What hangs on the wall, on white paper in the dark too. */
import { QRCode } from 'antd'
import { BASE } from '@/shared/base'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { colourOf } from '@/shared/theme/tokens'
import styles from './spot-check.module.css'
import { gradePath } from './zone'

const CODE = 300 // px
const INK = colourOf('text', 'light')
const PAPER = colourOf('surface', 'light')

interface Props {
  mapId: number
  room: string
  zone: string
  place: string
}

export function Sheet({ mapId, room, zone, place }: Props) {
  const { t } = useTranslation('spotcheck')
  const look = useCall('/taskReport/letterhead', {}, { enabled: useMay('device/report') }).data?.shown
  const address = `${window.location.origin}${BASE}${gradePath(mapId, room)}`
  return (
    <article className={styles.sheet} style={{ color: INK, background: PAPER }} aria-label={zone}>
      {look?.logo && <img src={look.logo} alt="" />}
      <p className={styles.kind} style={{ color: look?.colour ?? colourOf('primary', 'light') }}>
        {t('common:spot-check')}
      </p>
      <h2>
        <bdi>{zone}</bdi>
      </h2>
      <p>
        <bdi>{place}</bdi>
      </p>
      <QRCode
        type="svg"
        aria-label={t('scan')}
        size={CODE}
        bordered={false}
        errorLevel="Q"
        value={address}
        color={INK}
        bgColor={PAPER}
      />
      <p>{t('scan')}</p>
      <p className={styles.address}>
        <bdi dir="ltr">{address}</bdi>
      </p>
    </article>
  )
}

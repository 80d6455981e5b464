/** One robot as a card: state, name, battery, its floor, what it does or why it stands, and the way to its control page. */
import { IconCloudOff, IconMap2 } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Mode } from '@/shared/live/frames'
import { Battery } from '@/shared/marks/battery'
import { LaneProgress } from '@/shared/marks/lanes'
import { MODE_TONE, useModeWord } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { LinkButton } from '@/widgets/list/link-button'
import { FloorTile } from '@/widgets/map/floor-tile'
import { controlPath, infoPath, mapsPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import { type Listed, type Robot, useRobot } from '@/widgets/robot/robot'
import { ActionMenu } from '../action-menu'
import { useReason, useWhen } from '../reason'
import styles from './device-card.module.css'

const URGENT: ReadonlySet<Mode> = new Set(['help', 'emergency'])
/** The reason above says the state's word already. */
const EXPLAINED: ReadonlySet<Mode> = new Set(['emergency', 'paused'])
const STANDING: ReadonlySet<Mode> = new Set(['help', 'emergency', 'paused'])

/** Drawn anew when the robot has changed, not with each step of the scroller. */
export const DeviceCard = memo(function DeviceCard({ listed }: { listed: Listed }) {
  const row = useRobot(listed)
  const reason = useReason()
  const mayInfo = useMay('device/info')
  const { mode } = row
  const standing = STANDING.has(mode) ? { color: `var(--state-${MODE_TONE[mode]})` } : undefined
  return (
    <Panel className={styles.card} alert={mode === 'help'}>
      <header className={styles.head}>
        <StateMark state={mode} size={24} />
        <div>
          <h2>
            <bdi>{mayInfo ? <Link to={infoPath(row.deviceId)}>{row.deviceCode}</Link> : row.deviceCode}</bdi>
          </h2>
          <p>
            <bdi>{row.deviceSerialNumber}</bdi> · <bdi>{row.typeName}</bdi>
          </p>
        </div>
        {mode !== 'offline' && <Battery percent={row.battery} />}
      </header>
      <div className={styles.floor}>
        <Floor row={row} />
      </div>
      <p className={styles.reason} style={standing} title={reason(row)}>
        {reason(row)}
      </p>
      <Progress row={row} />
      <Foot row={row} listed={listed} />
    </Panel>
  )
})

function Floor({ row }: { row: Robot }) {
  const { t } = useTranslation('device')
  const when = useWhen()
  const place = usePlace().place(row.address, row.address1)
  const lastSeen = row.heartbeatTime ?? row.offlineSince
  if (row.mode === 'offline')
    return (
      <Row stack gap="s" align="center" justify="center" size="small" tone="quiet" className={styles.silent}>
        <IconCloudOff size={26} stroke={1.5} />
        {lastSeen === null ? t('never-connected') : t('last-seen-at', { time: when(lastSeen), place })}
      </Row>
    )
  return (
    <FloorTile
      deviceId={row.deviceId}
      mapId={row.mapId}
      robots={[row.deviceId]}
      names={[row.deviceCode]}
      label={place}
      missing={t('no-map')}
    />
  )
}

function Progress({ row }: { row: Robot }) {
  const { t } = useTranslation('device')
  const { percent, area, span } = useFormats()
  if (!row.run) return <div className={styles.progress} />
  return (
    <div className={styles.progress}>
      <LaneProgress ratio={row.progress} label={t('progress')} />
      <b>{percent(row.progress)}</b>
      <span>{area(row.cleaned).text}</span>
      {row.mode === 'cleaning' && row.remainingS >= 60 && (
        <span>{t('time-left', { time: span(row.remainingS * 1000) })}</span>
      )}
    </div>
  )
}

function Foot({ row, listed }: { row: Robot; listed: Listed }) {
  const { t } = useTranslation('device')
  const { span } = useFormats()
  const mayControl = useMay('device_control/index')
  const mayMaps = useMay('device/maplist')
  const word = useModeWord()
  const { mode } = row
  const control = mode === 'offline' ? undefined : controlPath(row)
  const place = usePlace().place(row.address, row.address1)
  return (
    <footer className={styles.foot} data-urgent={URGENT.has(mode) || undefined}>
      <Text as="span" grow cut>
        {!EXPLAINED.has(mode) && `${word(row)} · `}
        <bdi>{place}</bdi>
        {row.stale && ` · ${t('shell:data-age', { age: span(row.ageMs) })}`}
      </Text>
      <span className={styles.actions}>
        {mayMaps && (
          <LinkButton
            size="small"
            to={mapsPath(row.deviceId)}
            icon={<IconMap2 size={15} stroke={1.75} />}
            aria-label={t('maps-of', { robot: row.deviceCode })}
            title={t('maps-of', { robot: row.deviceCode })}
          />
        )}
        {mayControl && control && (
          <LinkButton
            size="small"
            type={URGENT.has(mode) ? 'primary' : 'default'}
            to={control}
            aria-label={
              URGENT.has(mode)
                ? `${t('open-control')}: ${row.deviceCode}`
                : t('control-robot', { robot: row.deviceCode })
            }
          >
            {URGENT.has(mode) ? t('open-control') : t('robot:control')}
          </LinkButton>
        )}
        <ActionMenu row={listed} />
      </span>
    </footer>
  )
}

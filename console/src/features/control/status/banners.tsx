/** What the robot itself says is wrong, and what its silence means, each with its measure and the way out. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import type { Command } from '@/shared/relay/contract'
import { Row, Text } from '@/shared/ui/layout'
import { useCause } from '@/widgets/alarm/cause'
import { markOfOpen, useOpenAlarms } from '@/widgets/alarm/open-alarms'
import { wayOut } from '@/widgets/alarm/way-out'
import type { ControlRow } from '../control-row'
import { ReleaseStop } from '../release-stop'
import { CommandButton, useScope } from '../scope'
import styles from './banners.module.css'

const BANNER = {
  map_not_selected: ['banner-map-not-selected', 'way-map'],
  position_unconfirmed: ['banner-position-unconfirmed', 'way-position'],
  low_battery: ['banner-low-battery', 'way-battery'],
  disinfectant_level: ['banner-disinfectant-level', 'way-disinfectant'],
  manual_mode: ['banner-manual-mode', 'way-manual'],
  brake: ['banner-brake', 'way-brake'],
  emergency_stop: ['banner-emergency-stop', 'way-emergency'],
  serial_error: ['banner-serial-connection', 'way-line'],
} as const
type Banner = keyof typeof BANNER

/** Why a robot is offline; without a known reason just that it is. */
const SILENCE = {
  never_connected: 'offline-never',
  no_heartbeat: 'offline-silent',
  switched_off: 'offline-switched-off',
  restarting: 'offline-restarting',
} as const

const isReason = (name: string | null): name is keyof typeof SILENCE => name !== null && name in SILENCE
const isBanner = (name: string): name is Banner => name in BANNER

interface Out {
  readonly command: Command
  readonly label: string
  readonly locked?: boolean
  readonly act: () => unknown
}

/** The action that ends what a banner says, where a person can do it from here. */
function useWaysOut(): (banner: Banner) => Out | undefined {
  const { t } = useTranslation('control')
  const { actions } = useScope()
  const ways: Partial<Record<Banner, Out>> = {
    position_unconfirmed: { command: 'relocation_start', label: t('relocalise'), act: actions.find },
    low_battery: { command: 'go_home', label: t('robot:to-charger'), act: actions.home },
    disinfectant_level: { command: 'go_home', label: t('robot:to-charger'), act: actions.home },
    manual_mode: { command: 'hand_mode', label: t('end-driving'), act: () => actions.byHand(false) },
    brake: { command: 'robot_lock', label: t('release-brake'), locked: true, act: () => actions.brake(false) },
    serial_error: { command: 'serial_control', label: t('open-line'), act: actions.openLine },
  }
  return (banner) => ways[banner]
}

export function Banners({ row }: { row: ControlRow }) {
  const { t } = useTranslation('control')
  const { dateTime, percent, unit } = useFormats()
  const cause = useCause()
  const outOf = useWaysOut()
  const { deviceId } = useScope()
  const help = row.mode === 'help' ? wayOut(row.help) : undefined
  const alarms = useOpenAlarms(deviceId, [row.help, row.mode, ...row.banners])
  return (
    <>
      {row.mode === 'offline' && (
        <Row wrap gap="m" lines="xxs" align="center" className={styles.banner} data-tone="offline" role="alert">
          <StateMark state="offline" />
          <b>{isReason(row.offlineReason) ? t(SILENCE[row.offlineReason]) : t('offline')}</b>
          {row.offlineSince && <span>{t('since', { time: dateTime(row.offlineSince) })}</span>}
        </Row>
      )}
      {row.mode === 'help' && (
        <Row wrap gap="m" lines="xxs" align="center" className={styles.banner} data-tone="help" role="alert">
          <StateMark state="help" />
          <b>{cause(row)}</b>
          {row.help.startsWith('0x') && <bdi dir="ltr">{row.help}</bdi>}
          {help && <span>{t(help)}</span>}
        </Row>
      )}
      {row.banners.filter(isBanner).map((banner) => {
        const [word, way] = BANNER[banner]
        const out = outOf(banner)
        const measure = {
          battery: percent(row.battery / 100),
          disinfectant: row.liquid === null ? '' : percent(row.liquid / 100),
          metres: unit(row.uncertainty, 'metre', 2),
        }
        return (
          <Row key={banner} wrap gap="m" lines="xxs" align="center" className={styles.banner} role="status">
            <StateMark state="warning" />
            <b>{t(word)}</b>
            <Text as="span" grow>
              {t(way, measure)}
            </Text>
            {banner === 'emergency_stop' && <ReleaseStop type="link" size="small" />}
            {out && (
              <CommandButton
                label={out.label}
                type="link"
                size="small"
                command={out.command}
                {...(out.locked !== undefined && { locked: out.locked })}
                onClick={out.act}
              />
            )}
          </Row>
        )
      })}
      {alarms.map((alarm) => {
        const way = wayOut(alarm.code)
        return (
          <Row key={alarm.warnId} wrap gap="m" lines="xxs" align="center" className={styles.banner} role="status">
            <StateMark state={markOfOpen(alarm)} />
            <b>{alarm.content}</b>
            <span>{t('since', { time: dateTime(Date.parse(alarm.time)) })}</span>
            {way && <span>{t(way)}</span>}
          </Row>
        )
      })}
    </>
  )
}

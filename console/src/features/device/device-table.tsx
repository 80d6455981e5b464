/** Robots as a dense table: 24 rows on a 1440×900 screen. Rows far from the screen are only their height. */
import { IconDeviceGamepad2, IconMap2 } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormats } from '@/shared/i18n/format'
import type { Mode } from '@/shared/live/frames'
import { useShow } from '@/shared/live/live'
import { useMay } from '@/shared/rpc/session'
import { Battery } from '@/shared/ui/battery'
import { LaneProgress } from '@/shared/ui/lanes'
import { MODE_TONE, MODE_WORD } from '@/shared/ui/mode'
import { Panel } from '@/shared/ui/panel'
import { StateMark } from '@/shared/ui/state-mark'
import { controlPath, mapsPath } from '@/widgets/paths'
import { usePlace } from '@/widgets/place'
import { type Listed, type Robot, useRobot } from '@/widgets/robot'
import { ActionMenu } from './action-menu'
import styles from './device-table.module.css'
import { useReason } from './reason'

const HEIGHT = 28
const BEYOND = 12
const COLUMNS = 10
const URGENT: ReadonlySet<Mode> = new Set(['help', 'emergency', 'paused'])

interface Props {
  rows: readonly Listed[]
  total: number
  scroller: RefObject<HTMLElement | null>
}

export function DeviceTable({ rows, total, scroller }: Props) {
  const { t } = useTranslation('device')
  const box = useRef<HTMLTableElement>(null)
  const [above, setAbove] = useState(0)
  useLayoutEffect(() => setAbove(box.current?.offsetTop ?? 0), [])
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    overscan: BEYOND,
    scrollMargin: above,
  })
  const shown = lines.getVirtualItems()
  const before = (shown[0]?.start ?? above) - above
  const after = lines.getTotalSize() - ((shown.at(-1)?.end ?? above) - above)
  useShow({ robots: shown.flatMap((line) => rows[line.index]?.deviceId ?? []) })
  return (
    <Panel className={styles.box}>
      <table ref={box} className={styles.table} aria-rowcount={total + 1} aria-label={t('device-list')}>
        <thead>
          <tr>
            <th data-wide>{t('states')}</th>
            <th>{t('name')}</th>
            <th>{t('serial-number')}</th>
            <th>{t('device-type')}</th>
            <th>{t('site-place')}</th>
            <th>{t('battery-level')}</th>
            <th>{t('task-or-reason')}</th>
            <th>{t('progress')}</th>
            <th data-number>{t('cleaned-area')}</th>
            <th>
              <span className={styles.unseen}>{t('control')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Gap height={before} />}
          {shown.map((line) => {
            const row = rows[line.index]
            return row && <Line key={row.deviceId} listed={row} index={line.index + 2} />
          })}
          {after > 0 && <Gap height={after} />}
        </tbody>
      </table>
    </Panel>
  )
}

/** Stands for the rows that are far from the screen. */
const Gap = ({ height }: { height: number }) => (
  <tr>
    <td colSpan={COLUMNS} style={{ height, padding: 0 }} />
  </tr>
)

function Line({ listed, index }: { listed: Listed; index: number }) {
  const { t } = useTranslation('device')
  const { percent, area } = useFormats()
  const row = useRobot(listed)
  const reason = useReason()
  const { floor } = usePlace()
  const { mode } = row
  const tone = MODE_TONE[mode]
  return (
    <tr aria-rowindex={index}>
      <td>
        <StateMark state={mode} size={16} />{' '}
        <span
          className={styles.state}
          style={{ color: `var(--state-${tone})`, background: `var(--state-${tone}-tint)` }}
        >
          {t(MODE_WORD[mode])}
        </span>
      </td>
      <th scope="row">
        <bdi>{row.deviceCode}</bdi>
      </th>
      <td data-soft>
        <bdi>{row.deviceSerialNumber}</bdi>
      </td>
      <td data-soft>{row.typeName}</td>
      <td className={styles.cut}>
        <bdi>{row.address}</bdi>
        {row.address1 && <span className={styles.place}> · {floor(row.address1)}</span>}
      </td>
      <td>{mode !== 'offline' && <Battery percent={row.battery} />}</td>
      <td className={styles.cut} style={URGENT.has(mode) ? { color: `var(--state-${tone})` } : undefined}>
        {reason(row)}
      </td>
      <td>
        {row.run && (
          <span className={styles.progress}>
            <LaneProgress ratio={row.progress} label={t('progress')} />
            {percent(row.progress)}
          </span>
        )}
      </td>
      <td data-number>{row.run && area(row.cleaned).text}</td>
      <td>
        <Deeds row={row} listed={listed} />
      </td>
    </tr>
  )
}

function Deeds({ row, listed }: { row: Robot; listed: Listed }) {
  const { t } = useTranslation('device')
  const mayControl = useMay('device_control/index')
  const mayMaps = useMay('device/maplist')
  const control = row.mode === 'offline' ? undefined : controlPath(row)
  return (
    <span className={styles.deeds}>
      {mayControl && control && (
        <Link to={control} aria-label={t('control-robot', { robot: row.deviceCode })} title={t('control')}>
          <IconDeviceGamepad2 size={17} stroke={1.75} />
        </Link>
      )}
      {mayMaps && (
        <Link to={mapsPath(row.deviceId)} aria-label={t('maps-of', { robot: row.deviceCode })} title={t('map-list')}>
          <IconMap2 size={17} stroke={1.75} />
        </Link>
      )}
      <ActionMenu row={listed} bare />
    </span>
  )
}

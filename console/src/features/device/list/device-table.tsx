/** Robots as a dense table: 24 rows on a 1440×900 screen. Rows far from the screen are only their height. */
import { IconDeviceGamepad2, IconMap2 } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useShow } from '@/shared/live/live'
import { MODE_TONE, MODE_WORD } from '@/shared/marks/mode'
import { StateMark } from '@/shared/marks/state-mark'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import table from '@/shared/ui/table.module.css'
import { useColumns } from '@/widgets/list/columns'
import { controlPath, infoPath, mapsPath } from '@/widgets/paths'
import { type Listed, type Robot, useRobot } from '@/widgets/robot/robot'
import { ActionMenu } from '../action-menu'
import { COLUMNS, type Column } from './columns'
import styles from './device-table.module.css'

const HEIGHT = 28
const BEYOND = 12
const FIXED = 4 // choice, state, name, actions

interface Props {
  rows: readonly Listed[]
  total: number
  scroller: RefObject<HTMLElement | null>
  chosen?: Chosen | undefined
}

/** The robots that something shall be done with at once. */
export interface Chosen {
  readonly ids: ReadonlySet<number>
  turn(id: number): void
}

export function DeviceTable({ rows, total, scroller, chosen }: Props) {
  const { t } = useTranslation('device')
  const { columns } = useColumns('device', COLUMNS)
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
  const visible = lines.getVirtualItems()
  const before = (visible[0]?.start ?? above) - above
  const after = lines.getTotalSize() - ((visible.at(-1)?.end ?? above) - above)
  useShow({ robots: visible.flatMap((line) => rows[line.index]?.deviceId ?? []) })
  return (
    <Panel className={table.box}>
      <table ref={box} className={table.table} aria-rowcount={total + 1} aria-label={t('device-list')}>
        <thead>
          <tr>
            {chosen && (
              <th>
                <span className="unseen">{t('choose')}</span>
              </th>
            )}
            <th data-wide>{t('states')}</th>
            <th>{t('name')}</th>
            {columns.map(({ key, word, number }) => (
              <th key={key} {...(number && { 'data-number': true })}>
                {t(word)}
              </th>
            ))}
            <th>
              <span className="unseen">{t('control')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <Gap height={before} columns={columns.length + FIXED} />}
          {visible.map((line) => {
            const row = rows[line.index]
            return (
              row && <Line key={row.deviceId} listed={row} index={line.index + 2} columns={columns} chosen={chosen} />
            )
          })}
          {after > 0 && <Gap height={after} columns={columns.length + FIXED} />}
        </tbody>
      </table>
    </Panel>
  )
}

/** Stands for the rows that are far from the screen. */
const Gap = ({ height, columns }: { height: number; columns: number }) => (
  <tr>
    <td colSpan={columns} style={{ height, padding: 0 }} />
  </tr>
)

interface LineProps {
  listed: Listed
  index: number
  columns: readonly Column[]
  chosen: Chosen | undefined
}

function Line({ listed, index, columns, chosen }: LineProps) {
  const { t } = useTranslation('device')
  const row = useRobot(listed)
  const mayInfo = useMay('device/info')
  const { mode } = row
  const tone = MODE_TONE[mode]
  return (
    <tr aria-rowindex={index}>
      {chosen && (
        <td>
          <input
            type="checkbox"
            checked={chosen.ids.has(row.deviceId)}
            onChange={() => chosen.turn(row.deviceId)}
            aria-label={t('choose-robot', { robot: row.deviceCode })}
          />
        </td>
      )}
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
        <bdi>{mayInfo ? <Link to={infoPath(row.deviceId)}>{row.deviceCode}</Link> : row.deviceCode}</bdi>
      </th>
      {columns.map(({ key, Cell }) => (
        <Cell key={key} row={row} />
      ))}
      <td>
        <RowActions row={row} listed={listed} />
      </td>
    </tr>
  )
}

function RowActions({ row, listed }: { row: Robot; listed: Listed }) {
  const { t } = useTranslation('device')
  const mayControl = useMay('device_control/index')
  const mayMaps = useMay('device/maplist')
  const control = row.mode === 'offline' ? undefined : controlPath(row)
  return (
    <Row as="span" gap="m" align="center" justify="end" className={styles.actions}>
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
    </Row>
  )
}

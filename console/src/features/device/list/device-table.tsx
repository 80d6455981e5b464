/** Robots as a dense table: 24 rows on a 1440×900 screen, sorted by the server. */
import { IconDeviceGamepad2, IconMap2 } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { useColumns, useSort, useWriting } from '@/widgets/list/columns'
import { choiceColumn, type Selection } from '@/widgets/list/selection/selection'
import type { Hold } from '@/widgets/list/steady-rows'
import { ListTable } from '@/widgets/list/table'
import { controlPath, infoPath, mapsPath } from '@/widgets/paths'
import type { Listed } from '@/widgets/robot/robot'
import { ActionMenu } from '../action-menu'
import { COLUMNS, FIXED, LiveRow, useLiveRow } from './columns'
import styles from './device-table.module.css'
import { ORDERS } from './toolbar/filters'

const HEIGHT = 28 // px, of a row

interface Props {
  rows: readonly Listed[]
  total: number
  selection: Selection
  hold: Hold
}

export function DeviceTable({ rows, total, selection, hold }: Props) {
  const { t } = useTranslation('device')
  const writing = useWriting('device')
  const go = useNavigate()
  const mayInfo = useMay('device/info')
  const visible = useColumns('device', COLUMNS).columns
  const [sort, onTurn] = useSort()
  const choice = choiceColumn<Listed>({
    selection,
    rows,
    idOf,
    labelOf: ({ deviceCode }) => t('choose-robot', { robot: deviceCode }),
    allLabel: t('common:select-all'),
  })
  return (
    <Panel>
      <ListTable
        label={t('device-list')}
        columns={[choice, ...FIXED, ...visible]}
        rows={rows}
        total={total}
        writing={writing}
        idOf={idOf}
        sort={{ by: sort, onTurn, orders: ORDERS }}
        onChoose={({ deviceId }) => selection.turn(deviceId)}
        hold={hold}
        around={(row, cells) => <LiveRow listed={row}>{cells}</LiveRow>}
        actions={(row) => <RowActions listed={row} />}
        {...(mayInfo && { onOpen: ({ deviceId }: Listed) => void go(infoPath(deviceId)) })}
        height={HEIGHT}
      />
    </Panel>
  )
}

const idOf = ({ deviceId }: Listed) => deviceId

function RowActions({ listed }: { listed: Listed }) {
  const { t } = useTranslation('device')
  const row = useLiveRow(listed)
  const mayControl = useMay('device_control/index')
  const mayMaps = useMay('device/maplist')
  const control = row.mode === 'offline' ? undefined : controlPath(row)
  return (
    <Row gap="m" align="center" justify="end" className={styles.actions}>
      {mayControl && control && (
        <Link to={control} aria-label={t('control-robot', { robot: row.deviceCode })} title={t('robot:control')}>
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

/** Robots as a dense table: 24 rows on a 1440×900 screen. What is sorted is the whole list, once all of it is here. */
import { IconDeviceGamepad2, IconMap2 } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { useTranslation } from '@/shared/i18n/text'
import { useMay } from '@/shared/session/session'
import { Row } from '@/shared/ui/layout'
import { Panel } from '@/shared/ui/panel'
import { type Column, sorted, useColumns, useSort, useWriting } from '@/widgets/list/columns'
import { SORTED_MOST } from '@/widgets/list/filters'
import { ListTable } from '@/widgets/list/table'
import { controlPath, infoPath, mapsPath } from '@/widgets/paths'
import type { Listed } from '@/widgets/robot/robot'
import { ActionMenu } from '../action-menu'
import { COLUMNS, FIXED, LiveRow, useLiveRow } from './columns'
import styles from './device-table.module.css'

const HEIGHT = 28 // px, of a row

interface Props {
  rows: readonly Listed[]
  total: number
  chosen?: Chosen | undefined
}

/** The robots that something shall be done with at once. */
export interface Chosen {
  readonly ids: ReadonlySet<number>
  turn(id: number): void
}

export function DeviceTable({ rows, total, chosen }: Props) {
  const { t } = useTranslation('device')
  const writing = useWriting('device')
  const go = useNavigate()
  const mayInfo = useMay('device/info')
  const visible = useColumns('device', COLUMNS).columns
  const [sort, onTurn] = useSort()
  const columns = [...(chosen ? [choiceOf(chosen)] : []), ...FIXED, ...visible]
  const by = [...FIXED, ...COLUMNS].find(({ key }) => key === sort?.key)
  return (
    <Panel>
      <ListTable
        label={t('device-list')}
        columns={columns}
        rows={sort && by && rows.length === total ? sorted(rows, by, sort.descending, writing) : rows}
        total={total}
        writing={writing}
        idOf={({ deviceId }) => deviceId}
        sort={total <= SORTED_MOST ? { by: sort, onTurn } : undefined}
        around={(row, cells) => <LiveRow listed={row}>{cells}</LiveRow>}
        actions={(row) => <RowActions listed={row} />}
        {...(mayInfo && { onOpen: ({ deviceId }: Listed) => void go(infoPath(deviceId)) })}
        height={HEIGHT}
      />
    </Panel>
  )
}

const choiceOf = ({ ids, turn }: Chosen): Column<Listed> => ({
  key: 'choice',
  label: 'choose',
  picture: true,
  unseen: true,
  value: () => null,
  cell: ({ deviceId, deviceCode }, { t }) => (
    <input
      type="checkbox"
      checked={ids.has(deviceId)}
      onChange={() => turn(deviceId)}
      aria-label={t('choose-robot', { robot: deviceCode })}
    />
  ),
})

function RowActions({ listed }: { listed: Listed }) {
  const { t } = useTranslation('device')
  const row = useLiveRow(listed)
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

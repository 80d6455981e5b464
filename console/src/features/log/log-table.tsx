/** The audit as a dense table; a row unfolds to what it changed. */
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import table from '@/shared/ui/table.module.css'
import type { LogRow } from './changes'
import type { Filters } from './filters'
import styles from './log.module.css'
import { LogLine } from './log-line'

interface Props {
  rows: readonly LogRow[]
  onNarrow(part: Partial<Filters>): void
}

/** Of the robots that still can be seen, by id; the audit itself keeps no names of robots, which change. */
function useNames(rows: readonly LogRow[]): ReadonlyMap<number, string> {
  const may = useMay('device/index')
  const ids = [...new Set(rows.flatMap((row) => row.deviceId ?? []))].sort((a, b) => a - b)
  const devices = useCall(
    '/device/selectDevicePc',
    { deviceIds: ids, currentPage: 1, pageSize: Math.max(1, ids.length) },
    { enabled: may && ids.length > 0, keep: true },
  )
  return new Map(devices.data?.list.map((device) => [device.deviceId, device.deviceCode]))
}

export function LogTable({ rows, onNarrow }: Props) {
  const { t } = useTranslation('log')
  const names = useNames(rows)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard
    <section className={table.box} tabIndex={0} aria-label={t('operation-log')}>
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th>{t('time')}</th>
            <th>{t('account')}</th>
            <th>{t('action')}</th>
            <th>{t('asked')}</th>
            <th>{t('device')}</th>
            <th>{t('origin')}</th>
            <th>{t('result')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <LogLine key={row.id} row={row} device={names.get(row.deviceId ?? 0)} onNarrow={onNarrow} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

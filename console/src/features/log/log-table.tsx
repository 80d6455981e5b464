/** The audit as a dense table; a row unfolds to what it changed. */
import { useTranslation } from 'react-i18next'
import type { LogRow } from './changes'
import type { Filters } from './filters'
import styles from './log.module.css'
import { LogLine } from './log-line'

interface Props {
  rows: readonly LogRow[]
  onNarrow(part: Partial<Filters>): void
}

export function LogTable({ rows, onNarrow }: Props) {
  const { t } = useTranslation('log')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard
    <section className={styles.box} tabIndex={0} aria-label={t('operation-log')}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{t('time')}</th>
            <th>{t('account')}</th>
            <th>{t('deed')}</th>
            <th>{t('asked')}</th>
            <th>{t('device')}</th>
            <th>{t('origin')}</th>
            <th>{t('result')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <LogLine key={row.id} row={row} onNarrow={onNarrow} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

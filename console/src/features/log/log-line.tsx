/** One action: when, who and for whom, what, to what, from where, and how it ended. Names narrow the list to them. */
import { IconBan, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { type LogRow, summary } from './changes'
import type { Filters } from './filters'
import styles from './log.module.css'
import { LogDetails } from './log-details'

const COLUMNS = 7 // of the table that it stands in

interface Props {
  row: LogRow
  /** The robot's name, where it is known. */
  device: string | undefined
  onNarrow(part: Partial<Filters>): void
}

export function LogLine({ row, device, onNarrow }: Props) {
  const { t } = useTranslation('log')
  const { exact } = useFormats()
  const [open, setOpen] = useState(false)
  const at = exact(Date.parse(row.time))
  const details = t('details-of', { action: row.actionName })
  return (
    <>
      <tr>
        <td>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={open}
            aria-label={`${at} · ${details}`}
            onClick={() => setOpen(!open)}
          >
            <IconChevronRight size={14} stroke={2} aria-hidden="true" />
            <time dateTime={row.time}>{at}</time>
          </button>
        </td>
        <td>
          <Who row={row} onNarrow={onNarrow} />
        </td>
        <td className={styles.cut} title={row.actionName}>
          <b>{row.actionName}</b>
        </td>
        <td className={styles.cut} data-soft>
          <bdi dir="ltr">{summary(row)}</bdi>
        </td>
        <td data-soft>
          {row.deviceId !== null && (
            <button
              type="button"
              className={styles.narrow}
              onClick={() => onNarrow({ device: row.deviceId ?? undefined })}
            >
              <bdi>{device ?? `#${row.deviceId}`}</bdi>
            </button>
          )}
        </td>
        <td data-soft>
          <bdi dir="ltr">{row.address}</bdi>
        </td>
        <td data-refused={row.result !== 0 || undefined}>
          <span className={styles.result}>
            {row.result !== 0 && <IconBan size={14} stroke={2} aria-hidden="true" />}
            {row.resultName}
          </span>
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={COLUMNS} className={styles.inner}>
            <LogDetails row={row} />
          </td>
        </tr>
      )}
    </>
  )
}

function Who({ row, onNarrow }: Omit<Props, 'device'>) {
  const { t } = useTranslation('log')
  const name = <bdi dir="ltr">{row.account}</bdi>
  return (
    <>
      {row.userId === 0 ? (
        <>
          {name} <small>{t('nobody')}</small>
        </>
      ) : (
        <button type="button" className={styles.narrow} onClick={() => onNarrow({ user: row.userId })}>
          {name}
        </button>
      )}
      {row.actingId !== row.userId && row.actingAccount && (
        <small> {t('acting-for', { name: row.actingAccount })}</small>
      )}
    </>
  )
}

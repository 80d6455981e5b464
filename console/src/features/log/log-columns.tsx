/** One action: when, who and for whom, what, to what, from where, and how it ended. Names narrow the list to them. */
import { IconBan, IconChevronRight } from '@tabler/icons-react'
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import { Row, Text } from '@/shared/ui/layout'
import type { Column } from '@/widgets/list/columns'
import { type LogRow, summary, type Words } from './changes'
import type { Filters } from './filters'
import styles from './log.module.css'

interface Context {
  readonly words: Words
  isOpen(row: LogRow): boolean
  onFold(row: LogRow): void
  onNarrow(part: Partial<Filters>): void
}

export const columnsOf = ({ words, isOpen, onFold, onNarrow }: Context): readonly Column<LogRow>[] => [
  { key: 'time', label: 'time', cell: (row) => <Time row={row} open={isOpen(row)} onFold={() => onFold(row)} /> },
  { key: 'account', label: 'account', cell: (row) => <Who row={row} onNarrow={onNarrow} /> },
  { key: 'actionName', label: 'action', cut: true, cell: (row) => <Action row={row} /> },
  { key: 'content', label: 'asked', cut: true, soft: true, value: (row) => summary(row, words) },
  {
    key: 'device',
    label: 'device',
    soft: true,
    value: ({ deviceId }) => deviceId && (words.robots.get(deviceId) ?? `#${deviceId}`),
    cell: ({ deviceId }) =>
      deviceId !== null && (
        <button type="button" className={styles.narrow} onClick={() => onNarrow({ device: deviceId })}>
          <bdi>{words.robots.get(deviceId) ?? `#${deviceId}`}</bdi>
        </button>
      ),
  },
  { key: 'address', label: 'origin', soft: true, ltr: true },
  {
    key: 'resultName',
    label: 'result',
    cell: ({ result, resultName }) => (
      <Row as="span" inline gap="xs" align="center" strong={result !== 0} tone={result !== 0 ? 'paused' : undefined}>
        {result !== 0 && <IconBan size={14} stroke={2} aria-hidden="true" />}
        {resultName}
      </Row>
    ),
  },
]

function Action({ row: { actionName, times = 1 } }: { row: LogRow }) {
  const { number } = useFormats()
  return (
    <>
      <b title={actionName}>{actionName}</b>
      {times > 1 && ` ×${number(times)}`}
    </>
  )
}

function Time({ row, open, onFold }: { row: LogRow; open: boolean; onFold(): void }) {
  const { t } = useTranslation('log')
  const { exact } = useFormats()
  const at = exact(Date.parse(row.time))
  const details = t('details-of', { action: row.actionName })
  return (
    <Row
      as="button"
      inline
      gap="xs"
      align="center"
      type="button"
      className={styles.narrow}
      aria-expanded={open}
      aria-label={`${at} · ${details}`}
      onClick={onFold}
    >
      <IconChevronRight size={14} stroke={2} data-flip aria-hidden="true" />
      <time dateTime={row.time}>{at}</time>
    </Row>
  )
}

function Who({ row, onNarrow }: { row: LogRow; onNarrow: Context['onNarrow'] }) {
  const { t } = useTranslation('log')
  const name = <bdi dir="ltr">{row.account}</bdi>
  return (
    <>
      {row.userId === 0 ? (
        <>
          {name}{' '}
          <Text as="span" tone="soft">
            {t('nobody')}
          </Text>
        </>
      ) : (
        <button type="button" className={styles.narrow} onClick={() => onNarrow({ user: row.userId })}>
          {name}
        </button>
      )}
      {row.actingId !== row.userId && row.actingAccount && (
        <Text as="span" tone="soft">
          {' '}
          {t('acting-for', { name: row.actingAccount })}
        </Text>
      )}
    </>
  )
}

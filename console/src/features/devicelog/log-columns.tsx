import { call } from '@/shared/rpc/call'
import { Text } from '@/shared/ui/layout'
import { DownloadButton } from '@/widgets/files/download-button'
import type { Column } from '@/widgets/list/columns'
import type { LogRow } from './rows'
import { stateWord, UploadState } from './upload-state'

const TRIGGER: Column<LogRow> = {
  key: 'trigger',
  label: 'devicelog:recorded-for',
  value: ({ trigger }) => trigger?.alarms.map(({ content }) => content).join(', ') ?? '',
  cell: ({ trigger }, { t }) =>
    trigger && (
      <>
        {trigger.by === 'order' && <Text as="div">{t('devicelog:on-request')}</Text>}
        {trigger.alarms.map(({ code, content }) => (
          <Text as="div" key={code}>
            {content}
          </Text>
        ))}
        {trigger.mapName && (
          <Text as="div" size="small" tone="soft">
            <bdi>{trigger.mapName}</bdi>
          </Text>
        )}
      </>
    ),
}

export const COLUMNS: readonly Column<LogRow>[] = [
  {
    key: 'name',
    label: 'devicelog:file',
    heading: true,
    cell: (row, { t }) =>
      row.stored ? (
        <DownloadButton
          file={{ path: row.name, size: row.size }}
          label={(name) => t('devicelog:download-named', { name })}
          findUrl={() => call('/deviceLog/downloadUrl', { id: row.id })}
        />
      ) : (
        <bdi dir="ltr">{row.name}</bdi>
      ),
  },
  { key: 'deviceCode', label: 'common:robot' },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true, soft: true },
  { key: 'size', label: 'devicelog:size', number: true, cell: ({ size }, { bytes }) => bytes(size) },
  {
    key: 'time',
    label: 'devicelog:last-entry',
    cell: ({ time }, { dateTime }) => dateTime(Date.parse(time)),
  },
  {
    key: 'uploadState',
    label: 'devicelog:state',
    value: (row, { t }) => t(stateWord(row)),
    cell: (row) => <UploadState row={row} />,
  },
]

/** Of recordings: what they were made for as well, and where. */
export const RECORDING_COLUMNS: readonly Column<LogRow>[] = COLUMNS.flatMap((column) =>
  column.key === 'size' ? [TRIGGER, column] : [column],
)

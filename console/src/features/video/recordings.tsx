/** Recordings of a robot by days: played, downloaded, deleted. */
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Select } from '@/shared/controls/select'
import { useTranslation } from '@/shared/i18n/text'
import { call } from '@/shared/rpc/call'
import { useCall } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { DownloadButton } from '@/widgets/files/download-button'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { Days } from '@/widgets/list/days'
import { choice, date, filters, useFilters } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { clock } from '@/widgets/video/remaining'
import { PlayDialog } from './play-dialog'
import { lengthOf, REASONS, type Recording } from './rows'

const OLDEST = 7
const FILTERS = filters({
  from: date((startDate) => ({ startDate })),
  to: date((endDate) => ({ endDate })),
  reason: choice(REASONS, (reason) => ({ reason })),
})

/** Addresses are good for a minute: asked for when they are used. */
async function findFresh(deviceSerialNumber: string, id: number): Promise<Recording> {
  const { list } = await call('/qiniuQvs/recordList', { deviceSerialNumber })
  const row = list.find((each) => each.id === id)
  if (!row) throw new Error('gone')
  return row
}

const columnsOf = (deviceSerialNumber: string): readonly Column<Recording>[] => [
  {
    key: 'name',
    label: 'video:file',
    heading: true,
    cell: (row, { t }) => (
      <DownloadButton
        file={{ path: row.name, size: row.size }}
        label={(name) => t('video:download-named', { name })}
        findUrl={async () => (await findFresh(deviceSerialNumber, row.id)).downloadUrl}
      />
    ),
  },
  { key: 'camera', label: 'video:camera', ltr: true },
  { key: 'reason', label: 'video:reason', cell: ({ reason }, { t }) => t(`video:reason-${reason}`) },
  { key: 'start', label: 'video:begins', cell: ({ start }, { dateTime }) => dateTime(Date.parse(start)) },
  { key: 'end', label: 'video:length', number: true, cell: (row) => clock(lengthOf(row)) },
]

export function Recordings({ deviceSerialNumber }: { deviceSerialNumber: string }) {
  const { t } = useTranslation('video')
  const { values, payload, change } = useFilters(FILTERS)
  const query = useCall('/qiniuQvs/recordList', { deviceSerialNumber, ...payload }, { keep: true })
  return (
    <ListView<Recording>
      name="videoRecord"
      texts="video"
      label={t('recordings')}
      columns={columnsOf(deviceSerialNumber)}
      query={query}
      idOf={({ id }) => id}
      empty={<Nothing why={t('no-recordings')} />}
      search={
        <Row wrap gap="m">
          <Select
            aria-label={t('reason')}
            value={values.reason ?? ''}
            options={[
              { value: '' as const, label: t('any-reason') },
              ...REASONS.map((value) => ({ value, label: t(`reason-${value}`) })),
            ]}
            onChange={(reason) => change({ reason: reason || undefined })}
          />
          <Days {...values} oldest={OLDEST} onChange={change} />
        </Row>
      }
      actions={(row) => <RecordingActions deviceSerialNumber={deviceSerialNumber} row={row} />}
    />
  )
}

function RecordingActions({ deviceSerialNumber, row }: { deviceSerialNumber: string; row: Recording }) {
  const { t } = useTranslation('video')
  const [playing, setPlaying] = useState<Recording>()
  const [deleting, setDeleting] = useState(false)
  const action = useAction('/qiniuQvs/recordDel', t('common:delete'))
  const close = () => setDeleting(false)
  const play = async () => setPlaying(await findFresh(deviceSerialNumber, row.id).catch(() => undefined))
  return (
    <Row justify="end">
      <LineAction icon={IconPlayerPlay} label={t('play')} name={row.name} onClick={() => void play()} />
      <LineAction
        danger
        icon={IconTrash}
        label={t('common:delete')}
        name={row.name}
        onClick={() => setDeleting(true)}
      />
      {playing && <PlayDialog recording={playing} onClose={() => setPlaying(undefined)} />}
      {deleting && (
        <DeleteDialog
          name={row.name}
          action={action}
          onDelete={() => void action.run({ fileJsonArr: [{ id: row.id }] }, close)}
          onClose={close}
        />
      )}
    </Row>
  )
}

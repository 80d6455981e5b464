/** Clips that are shared by a link: which, until when, by whom; revoked here. */
import { IconCopy, IconLinkOff } from '@tabler/icons-react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall, useSend } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { clock } from '@/widgets/video/remaining'
import { type Clip, lengthOf } from './rows'

const COLUMNS: readonly Column<Clip>[] = [
  { key: 'name', label: 'video:file', heading: true, ltr: true },
  { key: 'start', label: 'video:begins', cell: ({ start }, { dateTime }) => dateTime(Date.parse(start)) },
  { key: 'end', label: 'video:length', number: true, cell: (row) => clock(lengthOf(row)) },
  { key: 'expires', label: 'video:expires', cell: ({ expires }, { dateTime }) => dateTime(Date.parse(expires)) },
  { key: 'userName', label: 'video:shared-by' },
]

export function Clips({ deviceSerialNumber }: { deviceSerialNumber: string }) {
  const { t } = useTranslation('video')
  const query = useCall('/qiniuQvs/clipList', { deviceSerialNumber })
  return (
    <ListView<Clip>
      name="videoClip"
      texts="video"
      label={t('clips')}
      columns={COLUMNS}
      query={query}
      idOf={({ id }) => id}
      empty={<Nothing why={t('no-clips')} />}
      actions={(row) => <ClipActions row={row} />}
    />
  )
}

function ClipActions({ row }: { row: Clip }) {
  const { t } = useTranslation('video')
  const revoke = useSend('/qiniuQvs/clipDel', { action: t('clip-revoke') })
  return (
    <Row justify="end">
      {/* Browsers give a clipboard to secure origins only. */}
      {navigator.clipboard && (
        <LineAction
          icon={IconCopy}
          label={t('clip-copy')}
          name={row.name}
          onClick={() => void navigator.clipboard.writeText(row.url)}
        />
      )}
      <LineAction
        danger
        icon={IconLinkOff}
        label={t('clip-revoke')}
        name={row.name}
        onClick={() => revoke.mutate({ id: row.id })}
      />
    </Row>
  )
}

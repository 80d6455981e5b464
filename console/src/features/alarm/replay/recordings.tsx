/** The black box of an alarm: what the robot's sensors recorded, opened on the floor, and what was recorded there before. */
import { useFormats } from '@/shared/i18n/format'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Row, Text } from '@/shared/ui/layout'
import { LinkButton } from '@/widgets/list/link-button'
import { recordingPath, recordingsPath } from '@/widgets/paths'
import type { AlarmRow } from '../rows'

type Recording = Answer<'/warn/recordings'>['list'][number]

const BY = { '': 'recording-covers', alarm: 'recording-by-robot', order: 'recording-on-request' } as const
const STATES = {
  '': 'recording-on-robot',
  uploading: 'common:uploading',
  synchronised: 'recording-prepared',
  failed: 'common:failed',
} as const

export function AlarmRecordings({ row }: { row: AlarmRow }) {
  const { t } = useTranslation('alarm')
  const mayOpen = useMay('device/log')
  const recordings = useCall('/warn/recordings', { warnId: row.warnId })
  const list = recordings.data?.list ?? []
  if (list.length === 0 && !mayOpen) return null
  return (
    <Row stack gap="m" pad="m panel" rule="above">
      <Row gap="m" align="center" wrap>
        <Text as="h3" size="control" grow>
          {t('black-box')}
        </Text>
        {mayOpen && (
          <LinkButton size="small" to={recordingsPath(row)}>
            {t(row.mapName && row.x !== null ? 'recorded-here' : 'recorded-elsewhere')}
          </LinkButton>
        )}
      </Row>
      {list.length === 0 ? (
        <Text size="small" tone="soft">
          {t('no-black-box')}
        </Text>
      ) : (
        <Row as="ul" stack gap="s">
          {list.map((recording) => (
            <Line key={recording.id} recording={recording} mayOpen={mayOpen} />
          ))}
        </Row>
      )}
    </Row>
  )
}

function Line({
  recording: { id, name, time, by, uploadState, ready },
  mayOpen,
}: {
  recording: Recording
  mayOpen: boolean
}) {
  const { t } = useTranslation('alarm')
  const { exact } = useFormats()
  return (
    <Row as="li" gap="m" align="center" wrap>
      <Row stack grow>
        <Text size="small">{t(BY[by])}</Text>
        <Text size="small" tone="soft">
          {exact(Date.parse(time))} · <bdi dir="ltr">{name}</bdi>
        </Text>
      </Row>
      {!ready && (
        <Text as="span" size="small" tone="soft">
          {t(STATES[uploadState])}
        </Text>
      )}
      {mayOpen && (
        <LinkButton size="small" type={ready ? 'primary' : 'default'} to={recordingPath(ready ? id : undefined)}>
          {t(ready ? 'open-recording' : 'show-recording')}
        </LinkButton>
      )}
    </Row>
  )
}

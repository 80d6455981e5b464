/** What can be done with a log: have it sent up, cancel that, read it, delete the copy here or the file on its robot. */
import {
  IconFileText,
  IconMapPin,
  IconPlayerStop,
  IconTimeline,
  IconTrash,
  IconTrashX,
  IconUpload,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useSend } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Problem, Warning } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import { LineAction } from '@/widgets/list/line-action'
import { usePlayerAddress } from './player/address'
import { ReadDialog } from './read-dialog'
import { deletable, type LogRow, placeOf } from './rows'

type Request = 'copy' | 'robot' | 'read'

interface ActionProps {
  row: LogRow
  /** Narrows the list to what was recorded near there. */
  onNear?(place: NonNullable<ReturnType<typeof placeOf>>): void
}

export function LogActions({ row, onNear }: ActionProps) {
  const { t } = useTranslation('devicelog')
  const again = row.uploadState === 'failed'
  const word = t(again ? 'common:upload-again' : 'common:upload')
  const upload = useSend('/deviceLog/upLoadFile', { action: word })
  const cancel = useSend('/deviceLog/cancleUploadFile', { action: t('cancel-upload') })
  const player = usePlayerAddress()
  const [request, setRequest] = useState<Request>()
  const { id, name, kind, deviceSerialNumber } = row
  const running = row.uploadState === 'uploading'
  const close = () => setRequest(undefined)
  const place = placeOf(row)
  return (
    <>
      <Row as="span" inline>
        {row.onRobot && (row.uploadState === '' || again) && (
          <LineAction
            icon={IconUpload}
            label={word}
            name={name}
            onClick={() => upload.mutate({ deviceSerialNumber, name, kind })}
          />
        )}
        {running && (
          <LineAction
            icon={IconPlayerStop}
            label={t('cancel-upload')}
            name={name}
            onClick={() => cancel.mutate({ id })}
          />
        )}
        {row.stored && kind !== 'rosbag' && (
          <LineAction icon={IconFileText} label={t('show-lines')} name={name} onClick={() => setRequest('read')} />
        )}
        {row.recordingState === 'ready' && (
          <LineAction icon={IconTimeline} label={t('open-recording')} name={name} onClick={() => player.open(id)} />
        )}
        {onNear && place && (
          <LineAction icon={IconMapPin} label={t('near-here')} name={name} onClick={() => onNear(place)} />
        )}
        {row.stored && !running && (
          <LineAction danger icon={IconTrash} label={t('delete-copy')} name={name} onClick={() => setRequest('copy')} />
        )}
        {row.onRobot && deletable(kind) && !running && (
          <LineAction
            danger
            icon={IconTrashX}
            label={t('delete-on-robot')}
            name={name}
            onClick={() => setRequest('robot')}
          />
        )}
      </Row>
      {request === 'read' && <ReadDialog row={row} onClose={close} />}
      {request === 'copy' && <CopyDeletion row={row} onClose={close} />}
      {request === 'robot' && <RobotDeletion row={row} onClose={close} />}
    </>
  )
}

interface Props {
  row: LogRow
  onClose(): void
}

function CopyDeletion({ row, onClose }: Props) {
  const { t } = useTranslation('devicelog')
  const action = useAction('/deviceLog/deleteDeviceLog', t('delete-copy'))
  return (
    <Modal
      open
      title={`${t('delete-copy')}: ${row.name}`}
      okText={t('delete-copy')}
      cancelText={t('common:cancel')}
      okButtonProps={{ danger: true, loading: action.busy }}
      onOk={() => void action.run({ id: row.id }, onClose)}
      onCancel={onClose}
    >
      <Text>{t('delete-copy-how')}</Text>
      <Problem text={action.problem} />
    </Modal>
  )
}

function RobotDeletion({ row, onClose }: Props) {
  const { t } = useTranslation('devicelog')
  const [stays, setStays] = useState(false)
  const action = useAction('/deviceLog/rosAndNavDelete', t('delete-on-robot'))
  const { deviceSerialNumber, name, kind } = row
  const run = () => {
    if (!deletable(kind)) return
    void action.run({ deviceSerialNumber, names: [name], kind }, ({ names }) =>
      names.length > 0 ? onClose() : setStays(true),
    )
  }
  return (
    <Modal
      open
      title={`${t('delete-on-robot')}: ${name}`}
      okText={t('delete-on-robot')}
      cancelText={t('common:cancel')}
      okButtonProps={{ danger: true, loading: action.busy, disabled: stays }}
      onOk={run}
      onCancel={onClose}
    >
      <Text>{t('delete-on-robot-how')}</Text>
      {stays && <Warning>{t('still-writing')}</Warning>}
      <Problem text={action.problem} />
    </Modal>
  )
}

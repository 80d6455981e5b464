/** What can be done with a backup, by how far it is. */
import {
  IconArrowBackUp,
  IconListDetails,
  IconPlayerStop,
  IconRefresh,
  IconRotate,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useSend } from '@/shared/rpc/hooks'
import { Row } from '@/shared/ui/layout'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { LineAction } from '@/widgets/list/line-action'
import { ContentsDialog } from './contents-dialog'
import { RestoreDialog } from './restore-dialog'
import type { BackupRow } from './rows'

type Request = 'contents' | 'restore' | 'delete'

export function BackupActions({ row }: { row: BackupRow }) {
  const { t } = useTranslation('backup')
  const [request, setRequest] = useState<Request>()
  const close = () => setRequest(undefined)
  const { status, restore } = row
  const restoring = restore && (restore.state === 'sending' || restore.state === 'waiting') ? restore : undefined
  return (
    <Row justify="end">
      {status === 'finished' && (
        <>
          <LineAction
            icon={IconListDetails}
            label={t('contents')}
            name={row.fileName}
            onClick={() => setRequest('contents')}
          />
          {restoring ? (
            <CancelRestore id={restoring.id} name={row.fileName} />
          ) : (
            <LineAction
              icon={IconArrowBackUp}
              label={t('restore')}
              name={row.fileName}
              onClick={() => setRequest('restore')}
            />
          )}
        </>
      )}
      <Steps row={row} />
      {status !== 'packing' && status !== 'uploading' && !restoring && (
        <LineAction
          danger
          icon={IconTrash}
          label={t('common:delete')}
          name={row.fileName}
          onClick={() => setRequest('delete')}
        />
      )}
      {request === 'contents' && <ContentsDialog row={row} onClose={close} />}
      {request === 'restore' && <RestoreDialog row={row} onClose={close} />}
      {request === 'delete' && <Deletion row={row} onClose={close} />}
    </Row>
  )
}

/** A failed one goes on with the archive that the robot has, or begins anew; an open one can be cancelled. */
function Steps({ row }: { row: BackupRow }) {
  const { t } = useTranslation('backup')
  const upload = useSend('/device/backup', { action: t('common:upload-again') })
  const restart = useSend('/device/backup', { action: t('common:restart') })
  const cancel = useSend('/device/backup', { action: t('common:cancel') })
  const { id, fileName, status, packed } = row
  if (status === 'packing' || status === 'uploading')
    return (
      <LineAction
        icon={IconPlayerStop}
        label={t('common:cancel')}
        name={fileName}
        onClick={() => cancel.mutate({ id, action: 'cancel' })}
      />
    )
  if (status !== 'failed') return null
  return (
    <>
      {packed && (
        <LineAction
          icon={IconRefresh}
          label={t('common:upload-again')}
          name={fileName}
          onClick={() => upload.mutate({ id, action: 'upload' })}
        />
      )}
      <LineAction
        icon={IconRotate}
        label={t('common:restart')}
        name={fileName}
        onClick={() => restart.mutate({ id, action: 'restart' })}
      />
    </>
  )
}

function CancelRestore({ id, name }: { id: number; name: string }) {
  const { t } = useTranslation('backup')
  const cancel = useSend('/device/cancelDataBackupRestore', { action: t('cancel-restore') })
  return <LineAction icon={IconX} label={t('cancel-restore')} name={name} onClick={() => cancel.mutate({ id })} />
}

function Deletion({ row, onClose }: { row: BackupRow; onClose(): void }) {
  const { t } = useTranslation('backup')
  const action = useAction('/device/deleteDataBackupById', t('common:delete'))
  return (
    <DeleteDialog
      name={row.fileName}
      action={action}
      onDelete={() => void action.run({ id: row.id }, onClose)}
      onClose={onClose}
    />
  )
}

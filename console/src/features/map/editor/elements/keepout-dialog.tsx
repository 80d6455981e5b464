/** A keep-out mask of navigation becomes forbidden zones of this map: one step that can be undone, saved like any other. */

import { useState } from 'react'
import type { MapView } from '@/canvas/view'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { upload } from '@/shared/rpc/upload'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Problem } from '@/widgets/form/field'
import { useAttempt } from '@/widgets/form/use-attempt'
import { FileDrop } from '../../dialogs/file-drop'
import { picked } from '../../dialogs/files'
import { withZones } from '../tools'

const KEEPOUT = '/map/keepout'

interface Props {
  mapId: number
  view: MapView
  onClose(): void
}

export function KeepoutDialog({ mapId, view, onClose }: Props) {
  const { t } = useTranslation('map')
  const [files, setFiles] = useState<readonly File[]>([])
  const [empty, setEmpty] = useState(false) // the mask has no zone
  const attempt = useAttempt()
  const choice = picked(files)
  const draw = async () => {
    const form = new FormData()
    form.append('mapId', String(mapId))
    for (const file of files) form.append('files', file)
    setEmpty(false)
    await attempt.run(
      (): Promise<Answer<typeof KEEPOUT>> => upload(KEEPOUT, form),
      ({ list }) => {
        if (list.length === 0) return setEmpty(true)
        view.editor.commit(withZones(view.editor.map, list))
        notice('info', t('keepout-drawn', { count: list.length }))
        onClose()
      },
    )
  }
  return (
    <Modal
      open
      title={t('keepout')}
      okText={t('keepout-draw')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: choice.kind !== 'ready', loading: attempt.busy }}
      onOk={draw}
      onCancel={onClose}
    >
      <FileDrop
        files={files}
        label={t('keepout-pick')}
        how={t('keepout-how')}
        accept=".yaml,.yml,.pgm,.png,.zip"
        onPick={(chosen) => {
          setFiles(chosen)
          setEmpty(false)
          attempt.reset()
        }}
      />
      <Problem text={empty ? t('keepout-none') : attempt.problem} />
    </Modal>
  )
}

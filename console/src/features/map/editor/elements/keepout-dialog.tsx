/** A keep-out mask of navigation becomes forbidden zones of this map: one step that can be undone, saved like any other. */
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapView } from '@/canvas/view'
import type { Answer } from '@/shared/rpc/contract'
import { upload } from '@/shared/rpc/upload'
import { notice } from '@/shared/ui/notice'
import { Problem } from '@/widgets/form/field'
import { useRefusalText } from '@/widgets/refusal-text'
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
  const why = useRefusalText()
  const [files, setFiles] = useState<readonly File[]>([])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const choice = picked(files)
  const draw = async () => {
    const form = new FormData()
    form.append('mapId', String(mapId))
    for (const file of files) form.append('files', file)
    setBusy(true)
    setProblem(undefined)
    try {
      const { list }: Answer<typeof KEEPOUT> = await upload(KEEPOUT, form)
      if (list.length === 0) return setProblem(t('keepout-none'))
      view.editor.commit(withZones(view.editor.map, list))
      notice('info', t('keepout-drawn', { count: list.length }))
      onClose()
    } catch (error) {
      setProblem(why(error) ?? '')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('keepout')}
      okText={t('keepout-draw')}
      cancelText={t('back')}
      okButtonProps={{ disabled: choice.kind !== 'ready', loading: busy }}
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
          setProblem(undefined)
        }}
      />
      <Problem text={problem} />
    </Modal>
  )
}

/** A keep-out mask of navigation becomes forbidden zones of this map: one step that can be undone, saved like any other. */
import { IconFileUpload } from '@tabler/icons-react'
import { Modal, Upload } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapView } from '@/canvas/view'
import type { Answer } from '@/shared/rpc/contract'
import { upload } from '@/shared/rpc/upload'
import { notice } from '@/shared/ui/notice'
import { Problem } from '@/widgets/field'
import { useRefusalText } from '@/widgets/refusal-text'
import { picked } from '../files'
import styles from '../map.module.css'
import { withZones } from './tools'

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
      if (list.length > 0) view.editor.commit(withZones(view.editor.map, list))
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
      <Upload.Dragger
        multiple
        showUploadList={false}
        accept=".yaml,.yml,.pgm,.png,.zip"
        beforeUpload={(file, all) => {
          if (file === all[0])
            setFiles((had) => (all.length === 1 && picked(had).kind === 'wrong' ? [...had, ...all] : all))
          setProblem(undefined)
          return false
        }}
      >
        <IconFileUpload size={26} stroke={1.5} aria-hidden="true" />
        <p className={styles.drop}>{t('pick-files')}</p>
        <p className={styles.remark}>{t('keepout-how')}</p>
      </Upload.Dragger>
      <ul className={styles.files}>
        {files.map((file) => (
          <li key={file.name}>
            <bdi dir="ltr">{file.name}</bdi>
          </li>
        ))}
      </ul>
      <Problem text={problem ?? (files.length > 0 && choice.kind === 'wrong' ? t(choice.reason) : undefined)} />
    </Modal>
  )
}

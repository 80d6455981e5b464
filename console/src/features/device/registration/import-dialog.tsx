/** Robots from a spreadsheet: every row is tried first and what is wrong is shown; only then all are added. */

import { useQueryClient } from '@tanstack/react-query'
import { Button, Upload } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { raw } from '@/shared/rpc/call'
import type { Answer } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { refreshAfter } from '@/shared/rpc/topics'
import { upload } from '@/shared/rpc/upload'
import { useMay } from '@/shared/session/session'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Problem } from '@/widgets/form/field'
import { SaveButton } from '@/widgets/list/tools/save-button'
import type { DialogProps } from '../dialog-props'
import styles from '../dialogs.module.css'
import { CodesDialog } from './codes-dialog'

type Tried = Answer<'/device/importCheck'>

const form = (file: File) => {
  const data = new FormData()
  data.set('file', file)
  return data
}

export function ImportDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { t } = useTranslation('fleet')
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [file, setFile] = useState<File>()
  const [tried, setTried] = useState<Tried>()
  const [busy, setBusy] = useState(false)
  const may = useMay('device/index/authCodes')
  const [added, setAdded] = useState<readonly string[]>()
  const [problem, setProblem] = useState<string>()
  const ask = async (path: '/device/importCheck' | '/device/import', chosen: File) => {
    setBusy(true)
    setProblem(undefined)
    try {
      const result = await upload(path, form(chosen))
      setTried(result)
      return result.faults.length === 0
    } catch (error) {
      setTried(undefined)
      setProblem(errorText(error, t('import')))
      return false
    } finally {
      setBusy(false)
    }
  }
  const choose = (chosen: File) => {
    setFile(chosen)
    void ask('/device/importCheck', chosen)
    return false // not sent by the widget
  }
  const add = async () => {
    if (!file || !(await ask('/device/import', file))) return
    await refreshAfter(queries, '/device/import')
    notice('success', t('imported', { rows: tried?.rows ?? 0 }))
    if (may && tried) setAdded(tried.serials)
    else onClose()
  }
  if (added) return <CodesDialog onClose={onClose} serials={added} />
  const good = tried?.faults.length === 0
  return (
    <Modal
      open
      width={760}
      title={t('import-devices')}
      okText={t('import-all')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: busy, disabled: !good }}
      onOk={() => void add()}
      onCancel={onClose}
    >
      <Text tone="quiet" below="m">
        {t('import-how')}
      </Text>
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <SaveButton file="template.xlsx" fetch={() => raw('/device/importTemplate')}>
          {t('template')}
        </SaveButton>
        <Upload accept=".xlsx" maxCount={1} showUploadList={false} beforeUpload={choose}>
          <Button loading={busy}>{t('choose-sheet')}</Button>
        </Upload>
        {file && <bdi style={{ alignSelf: 'center' }}>{file.name}</bdi>}
      </div>
      {good && <p role="status">{t('rows-good', { rows: tried.rows })}</p>}
      {tried && !good && <Faults tried={tried} />}
      <Problem text={problem} />
    </Modal>
  )
}

function Faults({ tried }: { tried: Tried }) {
  const { t } = useTranslation('fleet')
  const bad = new Set(tried.faults.map(({ row }) => row)).size
  return (
    <div role="alert">
      <p>{t('rows-bad', { bad, rows: tried.rows })}</p>
      <div style={{ maxHeight: 320, overflow: 'auto' }}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled table is reached by keys */}
        <table className={styles.types} tabIndex={0}>
          <thead>
            <tr>
              <th>{t('row')}</th>
              <th>{t('column')}</th>
              <th>{t('stands-there')}</th>
              <th>{t('why')}</th>
            </tr>
          </thead>
          <tbody>
            {tried.faults.map(({ row, column, told: value, why }) => (
              <tr key={`${row} ${column} ${why}`}>
                <th scope="row">{row}</th>
                <td>
                  <bdi>{column}</bdi>
                </td>
                <td>
                  <bdi>{value}</bdi>
                </td>
                <td>{why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

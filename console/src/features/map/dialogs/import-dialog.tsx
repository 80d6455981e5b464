/** Import of a map made elsewhere, or of all floors of a building: seen first, then stored, all or nothing. */

import { useQueryClient } from '@tanstack/react-query'
import { Checkbox, Input, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { LIMITS } from '@/shared/rpc/limits'
import { refreshAfter } from '@/shared/rpc/topics'
import { upload } from '@/shared/rpc/upload'
import { Columns, Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { notice } from '@/shared/ui/notice'
import { Field, Problem } from '@/widgets/form/field'
import { QuotaLine } from '@/widgets/form/quota-line'
import { useRefusalText } from '@/widgets/refusal-text'
import styles from '../map.module.css'
import { FileDrop } from './file-drop'
import { picked } from './files'
import { drawRooms, hasRooms } from './first-rooms'
import { giveMap, type Receiver, ReceiverField, useHome } from './give'
import { ImportPreview } from './import-preview'
import { PlaceFields } from './place-fields'
import { usePreviews } from './use-previews'

const IMPORT = '/map/importMap'

interface Props {
  open: boolean
  onClose(): void
  /** Ids of the maps that have come. */
  onImported(ids: readonly number[]): void
}

export function ImportDialog({ open, onClose, onImported }: Props) {
  const { t } = useTranslation('map')
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [files, setFiles] = useState<readonly File[]>([])
  const [typed, setTyped] = useState<{ name?: string; building?: string; floor?: string }>({})
  const [withRooms, setWithRooms] = useState(true)
  const [robot, setRobot] = useState<Receiver>()
  const why = useRefusalText()
  const [part, setPart] = useState<number>()
  const [problem, setProblem] = useState('')
  const [again, setAgain] = useState(false)
  const choice = picked(files)
  const previews = usePreviews(files, open && choice.kind === 'ready')
  const plans = previews.data ?? []
  const twins = plans.some(({ plan }) => plan.twin)
  const name = typed.name ?? (choice.kind === 'ready' ? choice.name : '')
  const home = useHome(plans.length === 1 ? plans[0]?.plan : undefined, robot, name)
  const { building = '', floor = '' } = { ...home, ...typed }
  const close = () => {
    setFiles([])
    setTyped({})
    setRobot(undefined)
    setAgain(false)
    setProblem('')
    onClose()
  }
  /** The map is in the library whatever becomes of this. */
  const give = async (mapId: number, title: string, to: Receiver) => {
    try {
      await giveMap({ mapId, name: title }, to)
      await queries.invalidateQueries({ queryKey: ['map'] })
      notice('success', t('given', { name: title, robot: to.name }))
    } catch (error) {
      const reason = why(error)
      if (reason) notice('error', t('not-given', { robot: to.name, reason }))
    }
  }
  /** The maps are in the library whatever becomes of this; their rooms can be found in the editor as well. */
  const findRooms = async (ids: readonly number[]) => {
    try {
      for (const [i, { document }] of plans.entries()) {
        const mapId = ids[i]
        if (mapId !== undefined && !hasRooms(document))
          await drawRooms(mapId, document, (number) => t('room-number', { number }))
      }
    } catch (error) {
      const reason = why(error)
      if (reason) notice('error', reason)
    }
  }
  const send = async () => {
    const form = new FormData()
    for (const file of files) form.append('files', file)
    form.append('name', name.trim())
    form.append('again', String(again))
    if (building) form.append('building', building)
    if (floor) form.append('floor', floor)
    setProblem('')
    setPart(0)
    try {
      const { list }: Answer<typeof IMPORT> = await upload(IMPORT, form, { onProgress: setPart })
      if (withRooms) await findRooms(list.map(({ mapId }) => mapId))
      await refreshAfter(queries, IMPORT)
      notice('success', t('imported', { name: name.trim() }))
      onImported(list.map(({ mapId }) => mapId))
      close()
      const [stored] = list
      if (robot && stored && list.length === 1) await give(stored.mapId, name.trim(), robot)
    } catch (error) {
      setProblem((error instanceof Error && errorText(error, t('import-map'))) || '')
    } finally {
      setPart(undefined)
    }
  }
  return (
    <Modal
      open={open}
      title={t('import-map')}
      okText={t('import')}
      cancelText={t('cancel')}
      okButtonProps={{
        disabled: previews.isFetching || plans.length === 0 || !name.trim() || (twins && !again),
        loading: part !== undefined,
      }}
      onOk={send}
      onCancel={close}
      destroyOnHidden
    >
      <FileDrop
        files={files}
        label={t('pick-files')}
        how={t('pick-files-how')}
        accept=".yaml,.yml,.pgm,.png,.zip,.json"
        onPick={(chosen) => {
          setFiles(chosen)
          setAgain(false)
          setProblem('')
        }}
      />
      {previews.isFetching && (
        <Text role="status" tone="soft" above="m">
          {t('import-reading')}
        </Text>
      )}
      {plans.length > 0 && (
        <Row stack gap="m" above="m" className={styles.previews}>
          {plans.map((preview) => (
            <ImportPreview key={preview.document.id} preview={preview} />
          ))}
        </Row>
      )}
      {twins && (
        <Row above="m">
          <Checkbox checked={again} onChange={({ target }) => setAgain(target.checked)}>
            {t('import-again')}
          </Checkbox>
        </Row>
      )}
      {plans.some(({ document }) => !hasRooms(document)) && (
        <Row above="m">
          <Checkbox checked={withRooms} onChange={({ target }) => setWithRooms(target.checked)}>
            {t('rooms-at-once')}
          </Checkbox>
        </Row>
      )}
      <QuotaLine kind="maps" />
      {plans.length < 2 && (
        <Field label={t('map-name')}>
          <Input
            value={name}
            maxLength={LIMITS[IMPORT].name.maxLength}
            onChange={(e) => setTyped({ ...typed, name: e.target.value })}
          />
        </Field>
      )}
      <Columns gap="m" lines="none">
        <PlaceFields
          building={building}
          floor={plans.length < 2 ? floor : undefined}
          onChange={(place) => setTyped({ ...typed, ...place })}
        />
      </Columns>
      {plans.length < 2 && (
        <ReceiverField
          label={t('give-at-once')}
          placeholder={t('give-later')}
          robot={robot}
          clearable
          onChange={setRobot}
        />
      )}
      {part !== undefined && <Progress percent={Math.round(part * 100)} aria-label={t('uploading')} />}
      <Problem text={problem || (previews.error ? errorText(previews.error, t('import-map')) : '')} />
    </Modal>
  )
}

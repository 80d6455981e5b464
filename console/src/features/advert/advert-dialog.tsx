/**
 * Adds or edits an advert: what, how long, when and for which robots. Who is late is told what somebody else has
 * changed, and takes it over without losing what was typed.
 */
import { Button, Input, InputNumber, Modal, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, Problem, Warning } from '@/widgets/form/field'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import styles from './advert.module.css'
import { FileChoice } from './file-choice'
import { isVideo } from './files'
import { faultsOf, merged, NEW, payloadOf, type Row, type Values, valuesOf, wordsOf } from './form'
import { Hours } from './hours'
import { Targets } from './targets'
import { useFile } from './use-file'

const FIELDS = ['name', 'seconds', 'endDate', 'startTime', 'endTime', 'deviceIds', 'typeIds', 'file']

interface Props {
  /** What stands there now; undefined where the advert is new. */
  row: Row | undefined
  /** Reads the list again, so that `row` is what stands there now. */
  onRefresh(): Promise<unknown>
  onClose(): void
}

export function AdvertDialog({ row, onRefresh, onClose }: Props) {
  const { t } = useTranslation('advert')
  const [base, setBase] = useState(() => ({ values: row ? valuesOf(row) : NEW, at: row?.updateTime }))
  const [values, setValues] = useState(base.values)
  const [owner, setOwner] = useState<number>()
  const [submitted, setSubmitted] = useState(false)
  const file = useFile()
  const insert = useAction('/device/insertDeviceAdvertising', t('add'), FIELDS)
  const update = useAction('/device/updateDeviceAdvertising', t('save'), FIELDS)
  const action = row ? update : insert
  const change = (part: Partial<Values>) => setValues({ ...values, ...part })
  const faults = faultsOf(values)
  const fault = (name: keyof Values) => (submitted && faults[name] && t(faults[name])) || action.problemAt(name)
  const missing = !row && !file.picked && !file.fault
  const send = async () => {
    setSubmitted(true)
    if (missing || file.fault || Object.keys(faults).length > 0) return
    const fileId = await file.send(action.problemAt('file') !== undefined)
    if (file.picked && !fileId) return
    const fields = { ...payloadOf(values), ...(fileId && { file: fileId }) }
    if (row) update.run({ ...fields, id: row.id, ...(base.at && { updateTime: base.at }) }, onClose)
    else if (fileId) insert.run({ ...fields, file: fileId, ...(owner !== undefined && { userId: owner }) }, onClose)
  }
  const newer = action.late.length > 0 && row !== undefined && row.updateTime !== base.at
  const takeOver = () => {
    if (!row) return
    setValues(merged(base.values, values, valuesOf(row)))
    setBase({ values: valuesOf(row), at: row.updateTime })
    action.reset()
  }
  const video = isVideo(file.picked?.type ?? row?.kind ?? '')
  return (
    <Modal
      open
      width={640}
      title={row ? t('edit-named', { name: row.name }) : t('add-advert')}
      okText={t(row ? 'save' : 'add')}
      cancelText={t('back')}
      okButtonProps={{ loading: action.busy || file.part !== undefined, disabled: action.late.length > 0 }}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <Field label={t('name')} fault={fault('name')}>
        <Input
          autoFocus
          value={values.name}
          maxLength={100}
          aria-invalid={Boolean(fault('name'))}
          autoComplete="off"
          onChange={(event) => change({ name: event.target.value })}
        />
      </Field>
      <FileChoice row={row} picked={file.picked} onPick={file.pick} />
      <Problem
        text={file.fault ?? action.problemAt('file') ?? (submitted && missing ? t('fault-no-file') : undefined)}
      />
      {file.part !== undefined && <Progress percent={Math.round(file.part * 100)} aria-label={t('uploading')} />}
      {!video && (
        <Field label={t('seconds')} fault={fault('seconds')}>
          <InputNumber
            className={styles.seconds ?? ''}
            dir="ltr"
            precision={0}
            value={values.seconds}
            onChange={(seconds) => change({ seconds })}
          />
        </Field>
      )}
      <Hours values={values} fault={fault('endDate') ?? fault('startTime') ?? fault('endTime')} onChange={change} />
      <Targets values={values} fault={fault('some') ?? fault('typeIds') ?? fault('deviceIds')} onChange={change} />
      {!row && (
        <Field label={t('owner')} hint={t('owner-how')}>
          <OwnerTree
            wide
            value={owner}
            onChange={setOwner}
            words={{ label: t('owner'), every: t('myself'), named: (name) => name }}
          />
        </Field>
      )}
      <Problem text={action.problem} />
      {action.late.length > 0 && (
        <Warning alert>
          {t('changed-by-other', {
            fields: wordsOf(action.late)
              .map((word) => t(word))
              .join(' · '),
          })}
          <Button size="small" onClick={newer ? takeOver : () => void onRefresh()}>
            {t(newer ? 'take-over' : 'refresh')}
          </Button>
        </Warning>
      )}
    </Modal>
  )
}

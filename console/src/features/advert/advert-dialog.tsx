/**
 * Adds or edits an advert: what, how long, when and for which robots. Who is late sees what somebody else has changed, and
 * takes it over without losing what was typed.
 */

import { Input, InputNumber, Progress } from 'antd'
import { useState } from 'react'
import { useFormats } from '@/shared/i18n/format'
import { type TextKey, useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { Modal } from '@/shared/ui/modal'
import { DraftNote } from '@/widgets/form/draft/draft-note'
import { Field, Problem } from '@/widgets/form/field'
import { numbersOf, type Value } from '@/widgets/form/fields'
import { Outcome } from '@/widgets/form/outcome'
import { OwnerTree } from '@/widgets/form/owner-tree'
import { useAction } from '@/widgets/form/use-action'
import { useForm } from '@/widgets/form/use-form'
import styles from './advert.module.css'
import { FileChoice } from './file-choice'
import { isVideo } from './files'
import { FIELDS, formRowOf, given, NEW, payloadOf, type Row, type Values, wordOf } from './form'
import { Hours } from './hours'
import { Targets } from './targets'
import { useFile } from './use-file'

const NAMES = [...FIELDS.map(({ name }) => name), 'file']

interface Props {
  /** What stands there now; undefined where the advert is new. */
  row: Row | undefined
  /** Reads the list again, so that `row` is what stands there now. */
  onRefresh(): Promise<unknown>
  onClose(): void
}

/** A value as somebody else's stands beside mine. */
function useFormat() {
  const { t } = useTranslation('advert')
  const { date, number } = useFormats()
  const types = useCall('/device/selectDeviceType').data?.list ?? []
  return (name: string, value: Value) => {
    const ids = numbersOf(value)
    if (name === 'typeIds') return types.flatMap((type) => (ids.includes(type.typeId) ? type.typeName : [])).join(' · ')
    if (name === 'deviceIds') return t('count-robots', { count: ids.length })
    if (name.endsWith('Date') && value) return date(Date.parse(`${value}T00:00Z`), 'UTC')
    return typeof value === 'number' ? number(value) : String(value ?? '')
  }
}

export function AdvertDialog({ row, onRefresh, onClose }: Props) {
  const { t } = useTranslation('advert')
  const draft = row ? `/device/updateDeviceAdvertising ${row.id}` : '/device/insertDeviceAdvertising'
  const form = useForm<Values, TextKey<'advert'>>(FIELDS, row && formRowOf(row), NEW, draft)
  const format = useFormat()
  const [owner, setOwner] = useState<number>()
  const [submitted, setSubmitted] = useState(false)
  const file = useFile()
  const insert = useAction('/device/insertDeviceAdvertising', t('add'), NAMES)
  const update = useAction('/device/updateDeviceAdvertising', t('save'), NAMES)
  const action = row ? update : insert
  const late = action.late.length > 0
  const { values, changeAll } = form
  const fault = (name: keyof Values) => {
    const key = form.faultAt(name)
    return key ? t(key) : action.problemAt(name)
  }
  const missing = !row && !file.picked && !file.fault
  const send = async () => {
    setSubmitted(true)
    if (!form.ready() || missing || file.fault) return
    const fileId = await file.send(action.problemAt('file') !== undefined)
    if (file.picked && !fileId) return
    const fields = { ...payloadOf(values), ...(fileId && { file: fileId }) }
    const { updateTime } = form
    if (row) update.run({ ...fields, id: row.id, ...(updateTime && { updateTime }) }, onClose)
    else if (fileId) insert.run({ ...fields, file: fileId, ...(owner !== undefined && { userId: owner }) }, onClose)
  }
  const video = isVideo(file.picked?.type ?? row?.kind ?? '')
  return (
    <Modal
      open
      width={640}
      title={row ? t('edit-named', { name: row.name }) : t('add-advert')}
      okText={t(row ? 'save' : 'add')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy || file.part !== undefined, disabled: late }}
      onOk={() => void send()}
      {...form.closing(onClose)}
    >
      <DraftNote savedAt={form.draftOf} onDiscard={form.discard} />
      <Field label={t('name')} fault={fault('name')}>
        <Input
          autoFocus
          value={values.name}
          maxLength={LIMITS['/device/insertDeviceAdvertising'].name.maxLength}
          autoComplete="off"
          onChange={(event) => changeAll({ name: event.target.value })}
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
            onChange={(seconds) => changeAll({ seconds })}
          />
        </Field>
      )}
      <Hours values={values} fault={fault('endDate') ?? fault('startTime') ?? fault('endTime')} onChange={changeAll} />
      <Targets values={values} fault={fault('some') ?? fault('typeIds') ?? fault('deviceIds')} onChange={changeAll} />
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
      <Outcome
        form={{ ...form, takeOver: (names) => form.takeOver(given(names)) }}
        {...{ action, format, onRefresh }}
        label={(name) => t(wordOf(name))}
      />
    </Modal>
  )
}

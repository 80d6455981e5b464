/** The types of robots: name, picture and what robots of it can do. */

import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { Button, Input, Popconfirm, Select } from 'antd'
import { useRef, useState } from 'react'
import { textOr, useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useErrorText } from '@/shared/rpc/errors/error-text'
import { useCall } from '@/shared/rpc/hooks'
import { LIMITS } from '@/shared/rpc/limits'
import { upload } from '@/shared/rpc/upload'
import { Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { Field, Problem } from '@/widgets/form/field'
import { QuotaLine } from '@/widgets/form/quota-line'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { LineAction } from '@/widgets/list/line-action'
import { ShortList } from '@/widgets/list/short-list'
import { ABILITIES } from '@/widgets/robot/robot'
import type { DialogProps } from '../dialog-props'
import styles from '../dialogs.module.css'

type Type = Answer<'/device/selectDeviceType'>['list'][number]

const LARGEST = 2 << 20
const KINDS = 'image/png,image/jpeg,image/gif,image/webp'

const COLUMNS: readonly Column<Type>[] = [
  {
    key: 'picture',
    label: 'picture',
    picture: true,
    value: () => '',
    cell: ({ typeUrl }) => typeUrl && <img src={typeUrl} alt="" />,
  },
  {
    key: 'typeName',
    label: 'device-type',
    heading: true,
    cell: ({ typeName, description }) => (
      <>
        <bdi>{typeName}</bdi>
        {description && <small>{description}</small>}
      </>
    ),
  },
  {
    key: 'abilities',
    label: 'abilities',
    value: ({ abilities }, { t }) => abilities.map((ability) => textOr(t, `ability-${ability}`, ability)).join(' · '),
  },
]

export function TypesDialog({ onClose }: Pick<DialogProps, 'onClose'>) {
  const { t } = useTranslation('asset')
  const types = useCall('/device/selectDeviceType')
  const [at, setAt] = useState<Type | 'new'>()
  const remove = useAction('/device/deleteDeviceType', t('delete'), ['typeId'])
  if (at) return <TypeDialog type={at === 'new' ? undefined : at} onClose={() => setAt(undefined)} />
  return (
    <Modal
      open
      width={640}
      title={t('device-type')}
      onCancel={onClose}
      footer={
        <Button type="primary" icon={<IconPlus size={16} stroke={2} />} onClick={() => setAt('new')}>
          {t('add-type')}
        </Button>
      }
    >
      <Problem text={remove.problem ?? remove.problemAt('typeId')} />
      <ShortList
        texts="asset"
        label={t('device-type')}
        columns={COLUMNS}
        query={types}
        idOf={({ typeId }) => typeId}
        className={styles.tall}
        actions={(type) => (
          <>
            <LineAction icon={IconPencil} label={t('edit')} name={type.typeName} onClick={() => setAt(type)} />
            <Popconfirm
              title={t('delete-confirm', { name: type.typeName })}
              okText={t('delete')}
              cancelText={t('cancel')}
              okButtonProps={{ danger: true }}
              onConfirm={() => remove.run({ typeId: type.typeId }, () => undefined)}
            >
              <Button
                type="text"
                size="small"
                danger
                icon={<IconTrash size={16} stroke={1.75} />}
                aria-label={`${t('delete')}: ${type.typeName}`}
              />
            </Popconfirm>
          </>
        )}
      />
    </Modal>
  )
}

function TypeDialog({ type, onClose }: { type: Type | undefined; onClose: () => void }) {
  const { t } = useTranslation('asset')
  const [name, setName] = useState(type?.typeName ?? '')
  const [says, setSays] = useState(type?.description ?? '')
  const [abilities, setAbilities] = useState<string[]>(type?.abilities ?? [])
  const [url, setUrl] = useState(type?.typeUrl ?? '')
  const [submitted, setSubmitted] = useState(false)
  const insert = useAction('/device/insertDeviceType', t('add'), ['typeName', 'typeUrl'])
  const update = useAction('/device/updateDeviceType', t('save'), ['typeName', 'typeUrl'])
  const action = type ? update : insert
  const missing = submitted && !name.trim() ? t('required-field') : undefined
  const send = () => {
    setSubmitted(true)
    if (!name.trim()) return
    const payload = { typeName: name.trim(), description: says.trim(), abilities, ...(url && { typeUrl: url }) }
    if (type) update.run({ typeId: type.typeId, updateTime: type.updateTime, ...payload }, onClose)
    else insert.run(payload, onClose)
  }
  return (
    <Modal
      open
      title={type ? t('edit-named', { name: type.typeName }) : t('add-type')}
      okText={t(type ? 'save' : 'add')}
      cancelText={t('cancel')}
      okButtonProps={{ loading: action.busy }}
      onOk={send}
      onCancel={onClose}
    >
      <Field label={t('device-type')} fault={missing ?? action.problemAt('typeName')}>
        <Input
          autoFocus
          value={name}
          maxLength={LIMITS['/device/insertDeviceType'].typeName.maxLength}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Field label={t('description')}>
        <Input
          value={says}
          maxLength={LIMITS['/device/insertDeviceType'].description.maxLength}
          onChange={(event) => setSays(event.target.value)}
        />
      </Field>
      <Field label={t('abilities')} hint={t('abilities-how')}>
        <Select
          mode="multiple"
          aria-label={t('abilities')}
          value={abilities}
          onChange={setAbilities}
          options={ABILITIES.map((ability) => ({ value: ability, label: t(`ability-${ability}`) }))}
        />
      </Field>
      <Picture url={url} onUrl={setUrl} />
      <Problem text={action.problem ?? action.problemAt('typeUrl')} />
    </Modal>
  )
}

function Picture({ url, onUrl }: { url: string; onUrl: (url: string) => void }) {
  const { t } = useTranslation('asset')
  const errorText = useErrorText()
  const file = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const send = async (chosen: File | undefined) => {
    if (!chosen) return
    if (chosen.size > LARGEST) return setProblem(t('picture-too-large'))
    setBusy(true)
    setProblem(undefined)
    const form = new FormData()
    form.append('file', chosen)
    try {
      onUrl((await upload('/device/uploadTypePicture', form)).url)
    } catch (why) {
      setProblem(why instanceof Error ? errorText(why, t('picture')) : undefined)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div style={{ marginBlockStart: 10 }}>
      {url && <img src={url} alt={t('picture')} style={{ display: 'block', maxHeight: 120, marginBlockEnd: 6 }} />}
      <input
        ref={file}
        type="file"
        accept={KINDS}
        hidden
        onChange={(event) => {
          void send(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Button loading={busy} onClick={() => file.current?.click()}>
        {t('choose-picture')}
      </Button>
      <Text size="small" tone="soft" above="xs" className={styles.remark}>
        {t('picture-rule')}
      </Text>
      <QuotaLine kind="pictures" />
      <Problem text={problem} />
    </div>
  )
}

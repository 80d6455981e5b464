/** /version/fireware, as the specification spells it: firmware for types of robots, enabled or not. */
import { IconPencil, IconPlayerPlay, IconPlayerStop, IconStairsUp, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/session/session'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { ConfirmDialog } from './confirm-dialog'
import { FileLink } from './file-link'
import { StartDialog } from './rollout/start-dialog'
import { type FirmwareRow, useTypes } from './rows'
import { firmwareVersion, model, name } from './rules'
import { VersionDialog } from './version-dialog'
import { VersionState } from './version-state'

type Request =
  | { readonly kind: 'edit' | 'turn' | 'rollout' | 'delete'; readonly row: FirmwareRow }
  | { readonly kind: 'new' }

const FIELDS = [
  { name: 'name', label: 'name', rule: name },
  { name: 'version', label: 'common:version', ltr: true, rule: firmwareVersion },
  { name: 'deviceTypes', label: 'common:applicable-devices', kind: 'choices', wide: true, rule: model },
  { name: 'description', label: 'description', kind: 'text', wide: true },
] as const

const START = { name: '', version: '', deviceTypes: [], description: '' }

export function FirmwareScreen() {
  const { t } = useTranslation('version')
  const mayEnable = useMay('version/fireware/enable')
  const mayRollOut = useMay('version/soft') && mayEnable
  const query = useCall('/version/selectVersionFireware')
  const types = useTypes()
  const [request, setRequest] = useState<Request>()
  const close = () => setRequest(undefined)
  const typeNames = ({ deviceTypes }: FirmwareRow) =>
    types
      .filter(({ value }) => deviceTypes.includes(Number(value)))
      .map(({ label }) => label)
      .join(' · ')
  const columns: readonly Column<FirmwareRow>[] = [
    { key: 'name', label: 'name', heading: true },
    { key: 'version', label: 'common:version', ltr: true },
    {
      key: 'enabled',
      label: 'state',
      value: ({ enabled }) => t(enabled ? 'common:enabled' : 'common:disabled'),
      cell: ({ enabled }) => <VersionState on={enabled} words="enabled" />,
    },
    { key: 'deviceTypes', label: 'common:applicable-devices', value: typeNames },
    { key: 'file', label: 'file', value: ({ file }) => file, cell: ({ stored }) => <FileLink file={stored} /> },
    { key: 'description', label: 'description', cut: true },
    { key: 'createTime', label: 'added', cell: (row, { dateTime }) => dateTime(Date.parse(row.createTime)) },
  ]
  const add = <AddButton onClick={() => setRequest({ kind: 'new' })}>{t('add-firmware')}</AddButton>
  const edited = request?.kind === 'edit' ? query.data?.list.find(({ id }) => id === request.row.id) : undefined
  return (
    <Page>
      <ListView
        name="firmware"
        texts="version"
        label={t('common:firmware')}
        columns={columns}
        query={query}
        idOf={({ id }) => id}
        empty={<Nothing why={t('no-firmware')} action={add} />}
        tools={add}
        actions={(row) => (
          <>
            {mayEnable && (
              <>
                <LineAction
                  icon={row.enabled ? IconPlayerStop : IconPlayerPlay}
                  label={t(row.enabled ? 'common:disable' : 'common:enable')}
                  name={row.name}
                  onClick={() => setRequest({ kind: 'turn', row })}
                />
                <LineAction
                  icon={IconPencil}
                  label={t('common:edit')}
                  name={row.name}
                  onClick={() => setRequest({ kind: 'edit', row })}
                />
              </>
            )}
            {mayRollOut && row.enabled && (
              <LineAction
                icon={IconStairsUp}
                label={t('common:roll-out')}
                name={row.name}
                onClick={() => setRequest({ kind: 'rollout', row })}
              />
            )}
            {!row.enabled && (
              <LineAction
                danger
                icon={IconTrash}
                label={t('common:delete')}
                name={row.name}
                onClick={() => setRequest({ kind: 'delete', row })}
              />
            )}
          </>
        )}
      />
      {(request?.kind === 'new' || edited) && (
        <VersionDialog
          title={edited ? t('shell:edit-named', { name: edited.name }) : t('add-firmware')}
          fields={FIELDS}
          files={[{ name: 'file', label: 'file', needed: true, former: edited?.stored }]}
          options={{ deviceTypes: types }}
          row={edited}
          start={START}
          insert="/version/insertVersionFireware"
          update="/version/updateVersionFireware"
          onRefresh={query.refetch}
          onClose={close}
        />
      )}
      {request?.kind === 'rollout' && (
        <StartDialog
          of={{ versionKind: 'firmware', publicId: request.row.id }}
          name={request.row.name}
          onClose={close}
        />
      )}
      {request?.kind === 'turn' && <Turn row={request.row} onClose={close} />}
      {request?.kind === 'delete' && <Deletion row={request.row} onClose={close} />}
    </Page>
  )
}

interface RowProps {
  row: FirmwareRow
  onClose(): void
}

function Turn({ row, onClose }: RowProps) {
  const { t } = useTranslation('version')
  const word = t(row.enabled ? 'common:disable' : 'common:enable')
  const action = useAction('/version/updateVersionFireware', word)
  return (
    <ConfirmDialog
      title={t(row.enabled ? 'disable-named' : 'enable-named', { name: row.name })}
      text={t(row.enabled ? 'disable-means' : 'enable-means')}
      okText={word}
      action={action}
      onConfirm={() => void action.run({ id: row.id, enabled: !row.enabled }, onClose)}
      onClose={onClose}
    />
  )
}

function Deletion({ row, onClose }: RowProps) {
  const { t } = useTranslation('version')
  const action = useAction('/version/delVersionFireware', t('common:delete'))
  return (
    <DeleteDialog
      name={row.name}
      action={action}
      onDelete={() => void action.run({ id: row.id }, onClose)}
      onClose={onClose}
    />
  )
}

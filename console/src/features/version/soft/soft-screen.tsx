/** /version/soft: lines of software for types of robots, their builds, and the robots that get them. */
import { IconListCheck, IconPencil, IconPlayerStop, IconStack2, IconTrash } from '@tabler/icons-react'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Page } from '@/shared/ui/panel'
import { Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { filters, number, words } from '@/widgets/list/filters'
import { LineAction } from '@/widgets/list/line-action'
import { LinkButton } from '@/widgets/list/link-button'
import { ListView } from '@/widgets/list/list-view'
import { Search } from '@/widgets/list/search'
import { usePagedList } from '@/widgets/list/use-paged-list'
import { ConfirmDialog } from '../confirm-dialog'
import { RobotsDialog } from '../robots-dialog'
import { PAGE, type SoftRow, useTypes } from '../rows'
import { VersionState } from '../version-state'
import { BuildsDialog } from './builds-dialog'
import { LineDialog } from './line-dialog'

type Kind = 'edit' | 'builds' | 'range' | 'unpublish' | 'delete'
type Request = { readonly kind: Kind; readonly row: SoftRow } | { readonly kind: 'new' }

const FILTERS = filters({
  text: words((typeName) => ({ typeName })),
  type: number((typeId) => ({ typeId })),
})

const COLUMNS: readonly Column<SoftRow>[] = [
  { key: 'typeName', label: 'name', heading: true },
  { key: 'deviceTypeName', label: 'common:device-type' },
  {
    key: 'published',
    label: 'state',
    value: ({ publicId }, { t }) => t(publicId === null ? 'common:unpublished' : 'common:published'),
    cell: ({ publicId }) => <VersionState on={publicId !== null} />,
  },
  { key: 'version', label: 'common:software-version', ltr: true },
  { key: 'builds', label: 'builds', number: true },
  {
    key: 'publishTime',
    label: 'published-at',
    cell: ({ publishTime }, { dateTime }) => publishTime && dateTime(Date.parse(publishTime)),
  },
]

export function SoftScreen() {
  const { t } = useTranslation('version')
  const { values, change, list } = usePagedList('/version/selectVersion', FILTERS, { size: PAGE })
  const types = useTypes()
  const [request, setRequest] = useState<Request>()
  const close = () => setRequest(undefined)
  const add = <AddButton onClick={() => setRequest({ kind: 'new' })}>{t('add-software')}</AddButton>
  const row = request && request.kind !== 'new' ? request.row : undefined
  return (
    <Page>
      <ListView
        name="software"
        texts="version"
        label={t('common:software-version')}
        columns={COLUMNS}
        {...list}
        idOf={({ versionId }) => versionId}
        empty={<Nothing why={t('no-software')} action={add} />}
        tools={
          <>
            <LinkButton to="/version/soft/rollout">{t('common:roll-out')}</LinkButton>
            {add}
          </>
        }
        onOpen={(opened) => setRequest({ kind: 'builds', row: opened })}
        actions={(line) => {
          const published = line.publicId !== null
          const actions = [
            { kind: 'builds', icon: IconStack2, label: t('builds') } as const,
            { kind: 'range', icon: IconListCheck, label: t('choose-robots') } as const,
            ...(published
              ? [{ kind: 'unpublish', icon: IconPlayerStop, label: t('common:unpublish') } as const]
              : [
                  { kind: 'edit', icon: IconPencil, label: t('common:edit') } as const,
                  { kind: 'delete', icon: IconTrash, label: t('common:delete') } as const,
                ]),
          ]
          return actions.map(({ kind, icon, label }) => (
            <LineAction
              key={kind}
              danger={kind === 'delete'}
              icon={icon}
              label={label}
              name={line.typeName}
              onClick={() => setRequest({ kind, row: line })}
            />
          ))
        }}
        search={
          <Search text={values.text} hint={t('name')} onSearch={(text) => change({ text })}>
            <Select
              aria-label={t('common:device-type')}
              value={values.type ?? null}
              placeholder={t('every-type')}
              allowClear
              showSearch={{ optionFilterProp: 'label' }}
              options={[...types]}
              onChange={(type: number | null | undefined) => change({ type: type ?? undefined })}
            />
          </Search>
        }
      />
      {(request?.kind === 'new' || request?.kind === 'edit') && <LineDialog line={row} types={types} onClose={close} />}
      {request?.kind === 'builds' && <BuildsDialog line={request.row} onClose={close} />}
      {request?.kind === 'range' && <Range line={request.row} onClose={close} />}
      {request?.kind === 'unpublish' && <Unpublication line={request.row} onClose={close} />}
      {request?.kind === 'delete' && <Deletion line={request.row} onClose={close} />}
    </Page>
  )
}

interface LineProps {
  line: SoftRow
  onClose(): void
}

function Range({ line, onClose }: LineProps) {
  const { t } = useTranslation('version')
  const query = useCall('/version/selectDeviceRange', { versionId: line.versionId })
  const action = useAction('/version/updateVersionSelectedRange', t('common:save'))
  return (
    <RobotsDialog
      title={`${t('choose-robots')}: ${line.typeName}`}
      text={t('range-means')}
      okText={t('common:save')}
      query={query}
      action={action}
      onSend={(deviceSerialNumbers) => void action.run({ versionId: line.versionId, deviceSerialNumbers }, onClose)}
      onClose={onClose}
    />
  )
}

function Unpublication({ line, onClose }: LineProps) {
  const { t } = useTranslation('version')
  const action = useAction('/version/updateVersionTypeAndPublishDel', t('common:unpublish'))
  return (
    <ConfirmDialog
      title={t('unpublish-named', { name: line.name })}
      text={t('unpublish-means')}
      okText={t('common:unpublish')}
      action={action}
      onConfirm={() => void action.run({ versionId: line.versionId }, onClose)}
      onClose={onClose}
    />
  )
}

function Deletion({ line, onClose }: LineProps) {
  const { t } = useTranslation('version')
  const action = useAction('/version/deleteVersion', t('common:delete'))
  return (
    <DeleteDialog
      name={line.typeName}
      action={action}
      onDelete={() => void action.run({ versionId: line.versionId }, onClose)}
      onClose={onClose}
    >
      {line.builds > 0 && <p>{t('builds-go', { count: line.builds })}</p>}
    </DeleteDialog>
  )
}

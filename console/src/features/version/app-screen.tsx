/** /version/app: apps of the pad, published to all robots or to those of their lists. */
import {
  IconCircleCheck,
  IconCircleX,
  IconPencil,
  IconPlayerStop,
  IconStairsUp,
  IconTrash,
  IconWorldUpload,
} from '@tabler/icons-react'
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
import { FileLink } from './file-link'
import { PublicationDialog } from './publication-dialog'
import { RobotsDialog } from './robots-dialog'
import { StartDialog } from './rollout/start-dialog'
import type { AppRow } from './rows'
import { name } from './rules'
import { VersionDialog } from './version-dialog'
import { VersionState } from './version-state'

type Kind = 'edit' | 'publish' | 'rollout' | 'delete' | 'black' | 'white'
type Request = { readonly kind: Kind; readonly row: AppRow } | { readonly kind: 'new' }

const FIELDS = [
  { name: 'name', label: 'name', wide: true, rule: name },
  { name: 'log', label: 'common:release-notes', kind: 'text', wide: true },
] as const

const COLUMNS: readonly Column<AppRow>[] = [
  { key: 'name', label: 'name', heading: true },
  {
    key: 'published',
    label: 'state',
    value: ({ published }, { t }) => t(published ? 'common:published' : 'common:unpublished'),
    cell: ({ published }) => <VersionState on={published} />,
  },
  {
    key: 'releaseFile',
    label: 'release-file',
    value: (row) => row.releaseFile,
    cell: ({ release }) => <FileLink file={release} />,
  },
  {
    key: 'debugFile',
    label: 'debug-file',
    value: (row) => row.debugFile,
    cell: ({ debug }) => debug && <FileLink file={debug} />,
  },
  { key: 'log', label: 'common:release-notes', cut: true },
  { key: 'blackList', label: 'common:block-list', number: true, value: ({ blackList }) => blackList.length },
  { key: 'whiteList', label: 'common:allow-list', number: true, value: ({ whiteList }) => whiteList.length },
  {
    key: 'publishTime',
    label: 'published-at',
    cell: ({ publishTime }, { dateTime }) => publishTime && dateTime(Date.parse(publishTime)),
  },
]

export function AppScreen() {
  const { t } = useTranslation('version')
  const mayPublish = useMay('version/app/publish')
  const mayRollOut = useMay('version/soft') && mayPublish
  const query = useCall('/version/selectVersionApp', {})
  const [request, setRequest] = useState<Request>()
  const close = () => setRequest(undefined)
  const add = <AddButton onClick={() => setRequest({ kind: 'new' })}>{t('add-app')}</AddButton>
  const edited = request?.kind === 'edit' ? query.data?.list.find(({ id }) => id === request.row.id) : undefined
  return (
    <Page>
      <ListView
        name="app-version"
        texts="version"
        label={t('common:app-version')}
        columns={COLUMNS}
        query={query}
        idOf={({ id }) => id}
        empty={<Nothing why={t('no-apps')} action={add} />}
        tools={add}
        onOpen={(row) => setRequest({ kind: 'edit', row })}
        actions={(row) => {
          const actions = [
            ...(mayPublish
              ? [
                  row.published
                    ? ({ kind: 'publish', icon: IconPlayerStop, label: t('common:unpublish') } as const)
                    : ({ kind: 'publish', icon: IconWorldUpload, label: t('common:publish') } as const),
                ]
              : []),
            ...(mayRollOut && row.published
              ? [{ kind: 'rollout', icon: IconStairsUp, label: t('common:roll-out') } as const]
              : []),
            { kind: 'black', icon: IconCircleX, label: t('common:block-list') } as const,
            { kind: 'white', icon: IconCircleCheck, label: t('common:allow-list') } as const,
            { kind: 'edit', icon: IconPencil, label: t('common:edit') } as const,
            ...(row.published ? [] : [{ kind: 'delete', icon: IconTrash, label: t('common:delete') } as const]),
          ]
          return actions.map(({ kind, icon, label }) => (
            <LineAction
              key={kind}
              danger={kind === 'delete'}
              icon={icon}
              label={label}
              name={row.name}
              onClick={() => setRequest({ kind, row })}
            />
          ))
        }}
      />
      {(request?.kind === 'new' || edited) && (
        <VersionDialog
          title={edited ? t('shell:edit-named', { name: edited.name }) : t('add-app')}
          fields={FIELDS}
          files={[
            { name: 'releaseFile', label: 'release-file', needed: true, former: edited?.release },
            { name: 'debugFile', label: 'debug-file', needed: false, former: edited?.debug },
          ]}
          row={edited}
          start={{ name: '', log: '' }}
          insert="/version/insertVersionApp"
          update="/version/updateVersionApp"
          onRefresh={query.refetch}
          onClose={close}
        />
      )}
      {request?.kind === 'rollout' && (
        <StartDialog of={{ versionKind: 'app', publicId: request.row.id }} name={request.row.name} onClose={close} />
      )}
      {request?.kind === 'publish' && <Publication row={request.row} onClose={close} />}
      {(request?.kind === 'black' || request?.kind === 'white') && (
        <Robots row={request.row} list={request.kind} onClose={close} />
      )}
      {request?.kind === 'delete' && <Deletion row={request.row} onClose={close} />}
    </Page>
  )
}

interface RowProps {
  row: AppRow
  onClose(): void
}

function Publication({ row, onClose }: RowProps) {
  const { t } = useTranslation('version')
  const word = t(row.published ? 'common:unpublish' : 'common:publish')
  const action = useAction('/version/publishVersionApp', word)
  return (
    <PublicationDialog
      row={row}
      action={action}
      onConfirm={() => void action.run({ id: row.id, published: !row.published }, onClose)}
      onClose={onClose}
    />
  )
}

function Robots({ row, list, onClose }: RowProps & { list: 'black' | 'white' }) {
  const { t } = useTranslation('version')
  const black = list === 'black'
  const query = useCall(black ? '/version/selectAppBlackRange' : '/version/selectAppWhiteRange', { id: row.id })
  const action = useAction('/version/updateVersionApp', t('common:save'))
  return (
    <RobotsDialog
      title={`${t(black ? 'common:block-list' : 'common:allow-list')}: ${row.name}`}
      text={t(black ? 'block-list-means' : 'allow-list-means')}
      okText={t('common:save')}
      query={query}
      action={action}
      onSend={(serials) =>
        void action.run({ id: row.id, ...(black ? { blackList: serials } : { whiteList: serials }) }, onClose)
      }
      onClose={onClose}
    />
  )
}

function Deletion({ row, onClose }: RowProps) {
  const { t } = useTranslation('version')
  const action = useAction('/version/deleteVersionApp', t('common:delete'))
  return (
    <DeleteDialog
      name={row.name}
      action={action}
      onDelete={() => void action.run({ id: row.id }, onClose)}
      onClose={onClose}
    />
  )
}

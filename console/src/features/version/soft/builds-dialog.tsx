/** The builds of a line of software: added with their file, published to robots, deleted. */
import { IconListCheck, IconStairsUp, IconTrash, IconWorldUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '@/shared/controls/button'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { LineAction } from '@/widgets/list/line-action'
import { ShortList } from '@/widgets/list/short-list'
import { FileLink } from '../file-link'
import { RobotsDialog } from '../robots-dialog'
import { StartDialog } from '../rollout/start-dialog'
import type { BuildRow, SoftRow } from '../rows'
import { name, softVersion } from '../rules'
import { VersionDialog } from '../version-dialog'
import { VersionState } from '../version-state'

type Kind = 'publish' | 'rollout' | 'history' | 'delete'
type Request = { readonly kind: Kind; readonly build: BuildRow } | { readonly kind: 'new' }

const FIELDS = [
  { name: 'name', label: 'name', rule: name },
  { name: 'version', label: 'common:software-version', ltr: true, rule: softVersion },
  { name: 'log', label: 'common:release-notes', kind: 'text', wide: true },
] as const

const COLUMNS: readonly Column<BuildRow>[] = [
  { key: 'name', label: 'name', heading: true },
  { key: 'version', label: 'common:software-version', ltr: true },
  {
    key: 'published',
    label: 'state',
    value: ({ published }, { t }) => t(published ? 'common:published' : 'common:unpublished'),
    cell: ({ published }) => <VersionState on={published} />,
  },
  { key: 'file', label: 'file', value: ({ file }) => file, cell: ({ stored }) => <FileLink file={stored} /> },
  { key: 'log', label: 'common:release-notes', cut: true },
]

interface Props {
  line: SoftRow
  onClose(): void
}

export function BuildsDialog({ line, onClose }: Props) {
  const { t } = useTranslation('version')
  const query = useCall('/version/selectVersionPublic', { versionId: line.versionId })
  const [request, setRequest] = useState<Request>()
  const close = () => setRequest(undefined)
  if (request?.kind === 'new')
    return (
      <VersionDialog
        title={t('add-build')}
        fields={FIELDS}
        files={[{ name: 'file', label: 'file', needed: true, former: undefined }]}
        start={{ name: '', version: '', log: '' }}
        insert="/version/insertVersionPublic"
        update="/version/insertVersionPublic"
        beside={{ versionId: line.versionId }}
        onClose={close}
      />
    )
  if (request?.kind === 'publish') return <Publication line={line} build={request.build} onClose={close} />
  if (request?.kind === 'rollout') {
    const { publicId, name } = request.build
    return <StartDialog of={{ versionKind: 'soft', publicId }} name={name} onClose={close} />
  }
  if (request?.kind === 'history') return <History build={request.build} onClose={close} />
  if (request?.kind === 'delete') return <Deletion build={request.build} onClose={close} />
  return (
    <Modal
      open
      width={900}
      title={`${line.typeName} · ${line.deviceTypeName}`}
      footer={<Button onClick={onClose}>{t('common:close')}</Button>}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Row gap="m" align="center">
          <AddButton onClick={() => setRequest({ kind: 'new' })}>{t('add-build')}</AddButton>
        </Row>
        <ShortList
          texts="version"
          label={t('builds')}
          columns={COLUMNS}
          query={query}
          idOf={({ publicId }) => publicId}
          empty={<Text tone="soft">{t('no-builds')}</Text>}
          actions={(build) => (
            <>
              <LineAction
                icon={IconWorldUpload}
                label={t('common:publish')}
                name={build.name}
                onClick={() => setRequest({ kind: 'publish', build })}
              />
              {build.published && (
                <LineAction
                  icon={IconStairsUp}
                  label={t('common:roll-out')}
                  name={build.name}
                  onClick={() => setRequest({ kind: 'rollout', build })}
                />
              )}
              {build.publishTime && (
                <LineAction
                  icon={IconListCheck}
                  label={t('choose-robots')}
                  name={build.name}
                  onClick={() => setRequest({ kind: 'history', build })}
                />
              )}
              {!build.published && (
                <LineAction
                  danger
                  icon={IconTrash}
                  label={t('common:delete')}
                  name={build.name}
                  onClick={() => setRequest({ kind: 'delete', build })}
                />
              )}
            </>
          )}
        />
      </Row>
    </Modal>
  )
}

interface BuildProps {
  build: BuildRow
  onClose(): void
}

/** Asks which robots get it: publishing is confirmed by choosing them. */
function Publication({ line, build, onClose }: BuildProps & { line: SoftRow }) {
  const { t } = useTranslation('version')
  const query = useCall('/version/selectDeviceRange', { versionId: line.versionId })
  const action = useAction('/version/updateVersionTypeAndPublish', t('common:publish'))
  return (
    <RobotsDialog
      title={t('publish-named', { name: build.name })}
      text={t('publish-build-means')}
      okText={t('common:publish')}
      query={query}
      action={action}
      onSend={(deviceSerialNumbers) =>
        void action.run({ versionId: line.versionId, publicId: build.publicId, deviceSerialNumbers }, onClose)
      }
      onClose={onClose}
    />
  )
}

function History({ build, onClose }: BuildProps) {
  const { t } = useTranslation('version')
  const query = useCall('/version/selectHistoryDeviceRange', { publicId: build.publicId })
  const action = useAction('/version/updateHistoryVersionSelectedRange', t('common:save'))
  return (
    <RobotsDialog
      title={`${t('choose-robots')}: ${build.name}`}
      text={t(build.published ? 'range-means' : 'history-means')}
      okText={t('common:save')}
      query={query}
      action={action}
      onSend={(deviceSerialNumbers) => void action.run({ publicId: build.publicId, deviceSerialNumbers }, onClose)}
      onClose={onClose}
    />
  )
}

function Deletion({ build, onClose }: BuildProps) {
  const { t } = useTranslation('version')
  const action = useAction('/version/deleteVersionPublic', t('common:delete'))
  return (
    <DeleteDialog
      name={build.name}
      action={action}
      onDelete={() => void action.run({ publicId: build.publicId }, onClose)}
      onClose={onClose}
    />
  )
}

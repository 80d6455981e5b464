/** Gives a backup to a robot, after what would change there was seen: it comes to hold the backup, and nothing else. */
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { StateMark } from '@/shared/marks/state-mark'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import { DevicePicker } from '@/widgets/form/device-picker'
import { Field, Problem } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import { ITEM_COLUMNS } from './contents-dialog'
import type { BackupRow } from './rows'
import { Versions } from './versions'

type Preview = Answer<'/device/previewDataBackupRestore'>
type Difference = Preview['list'][number]

const CHANGES = {
  added: ['done', 'change-added'],
  changed: ['moving', 'change-changed'],
  removed: ['warning', 'change-removed'],
} as const
const COLUMNS: readonly Column<Difference>[] = [
  ...ITEM_COLUMNS,
  {
    key: 'change',
    label: 'backup:change',
    value: ({ change }, { t }) => t(`backup:${CHANGES[change][1]}`),
    cell: ({ change }, { t }) => (
      <Row as="span" inline gap="s" align="center">
        <StateMark state={CHANGES[change][0]} size={15} />
        {t(`backup:${CHANGES[change][1]}`)}
      </Row>
    ),
  },
]

export function RestoreDialog({ row, onClose }: { row: BackupRow; onClose(): void }) {
  const { t } = useTranslation('backup')
  const [robot, setRobot] = useState<number | undefined>(row.deviceId)
  const preview = useCall(
    '/device/previewDataBackupRestore',
    { id: row.id, deviceId: robot ?? 0 },
    { enabled: robot !== undefined, staleTime: 0 },
  )
  const action = useAction('/device/restoreDataBackup', t('restore'))
  const ready = robot !== undefined && preview.data !== undefined && !preview.isFetching
  const removes = preview.data?.list.some(({ change }) => change === 'removed') ?? false
  return (
    <Modal
      open
      width={680}
      title={t('restore-of', { name: row.fileName })}
      okText={t('restore')}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: !ready, danger: removes }}
      onOk={() => robot !== undefined && void action.run({ id: row.id, deviceId: robot }, onClose)}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Text tone="quiet">{t('restore-how')}</Text>
        <Field label={t('target')}>
          <DevicePicker
            value={robot}
            label={t('target')}
            placeholder={t('choose-robot')}
            onChange={(id) => {
              setRobot(id)
              action.reset()
            }}
          />
        </Field>
        {robot !== undefined && (
          <section aria-label={t('changes')}>
            <ShortList
              texts="backup"
              label={t('changes')}
              columns={COLUMNS}
              query={preview}
              idOf={({ kind, name }) => `${kind}/${name}`}
              empty={<Text tone="soft">{t('nothing-changes')}</Text>}
              height={280}
            />
          </section>
        )}
        {preview.data && <Summary preview={preview.data} />}
      </Row>
      <Problem text={action.problem} />
    </Modal>
  )
}

/** What stays, and what the robots ran then and run now. */
function Summary({ preview: { same, versions, presentVersions } }: { preview: Preview }) {
  const { t } = useTranslation('backup')
  return (
    <Row stack gap="xs">
      <Text tone="quiet" size="small">
        {t('unchanged', { amount: same })}
      </Text>
      <Versions label={t('versions-then')} versions={versions} />
      <Versions label={t('versions-now')} versions={presentVersions} />
    </Row>
  )
}

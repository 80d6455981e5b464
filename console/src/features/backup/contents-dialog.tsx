/** All that a backup holds, and the versions of its robot then. */
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import type { BackupRow, Item } from './rows'
import { Versions } from './versions'

export const ITEM_COLUMNS: readonly Column<Pick<Item, 'kind' | 'name'>>[] = [
  { key: 'name', label: 'backup:name', heading: true },
  { key: 'kind', label: 'backup:kind', value: ({ kind }, { t }) => t(`backup:kind-${kind}`) },
]

export function ContentsDialog({ row, onClose }: { row: BackupRow; onClose(): void }) {
  const { t } = useTranslation('backup')
  const contents = useCall('/device/selectDataBackupContents', { id: row.id })
  return (
    <Modal open width={640} title={t('contents-of', { name: row.fileName })} footer={null} onCancel={onClose}>
      <Row stack gap="m">
        {contents.data && <Versions label={t('versions-then')} versions={contents.data.versions} />}
        <ShortList
          texts="backup"
          label={t('contents')}
          columns={ITEM_COLUMNS}
          query={contents}
          idOf={({ kind, name }) => `${kind}/${name}`}
          empty={<Text tone="soft">{t('holds-nothing')}</Text>}
          height={360}
        />
      </Row>
    </Modal>
  )
}

/** Chooses robots of a list: who gets a version, who never does. What is chosen is sent whole. */
import { Input } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Tag } from '@/shared/marks/tag'
import { Row, Text } from '@/shared/ui/layout'
import { Modal } from '@/shared/ui/modal'
import type { Query } from '@/shared/ui/query-view'
import { Problem } from '@/widgets/form/field'
import type { Column } from '@/widgets/list/columns'
import { choiceColumn } from '@/widgets/list/selection/selection'
import { ShortList } from '@/widgets/list/short-list'
import type { RobotRow } from './rows'

interface Props {
  title: string
  text: string
  okText: string
  query: Query<{ readonly list: readonly RobotRow[] }>
  action: { readonly busy: boolean; readonly problem: string | undefined }
  onSend(serialNumbers: string[]): void
  onClose(): void
}

const COLUMNS: readonly Column<RobotRow>[] = [
  {
    key: 'deviceCode',
    label: 'common:robot',
    heading: true,
    cell: ({ deviceCode, testDevice }, { t }) => (
      <Row gap="s" align="center">
        <bdi>{deviceCode}</bdi>
        {testDevice && <Tag tone="moving">{t('common:internal-test-device')}</Tag>}
      </Row>
    ),
  },
  { key: 'deviceSerialNumber', label: 'common:serial-number', ltr: true },
]

export function RobotsDialog({ title, text, okText, query, action, onSend, onClose }: Props) {
  const { t } = useTranslation('version')
  const [search, setSearch] = useState('')
  const [changed, setChanged] = useState<ReadonlySet<number>>()
  const rows = query.data?.list ?? []
  const ids = changed ?? new Set(rows.filter(({ selected }) => selected).map(({ deviceId }) => deviceId))
  const looked = search.trim().toLowerCase()
  const matching = rows.filter((row) => `${row.deviceCode} ${row.deviceSerialNumber}`.toLowerCase().includes(looked))
  const matchingIds = new Set(matching.map(({ deviceId }) => deviceId))
  const selection = {
    ids,
    turn: (id: number) =>
      setChanged(ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id])),
    choose: (chosen: readonly number[]) => setChanged(new Set([...ids, ...chosen])),
    clear: () => setChanged(new Set([...ids].filter((id) => !matchingIds.has(id)))),
  }
  const choice = choiceColumn({
    selection,
    rows: matching,
    idOf: ({ deviceId }) => deviceId,
    labelOf: ({ deviceCode }) => t('choose-robot', { name: deviceCode }),
    allLabel: t('common:select-all'),
  })
  const serialNumbers = rows.filter(({ deviceId }) => ids.has(deviceId)).map((row) => row.deviceSerialNumber)
  return (
    <Modal
      open
      width={640}
      title={title}
      okText={okText}
      cancelText={t('common:cancel')}
      okButtonProps={{ loading: action.busy, disabled: !query.data }}
      onOk={() => onSend(serialNumbers)}
      onCancel={onClose}
    >
      <Row stack gap="m">
        <Text>{text}</Text>
        <Input
          aria-label={t('search-robots')}
          placeholder={t('search-robots')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <b role="status">{t('common:count-selected', { count: ids.size })}</b>
        <ShortList
          texts="version"
          label={t('choose-robots')}
          columns={[choice, ...COLUMNS]}
          query={{ ...query, ...(query.data && { data: { list: matching } }) }}
          idOf={({ deviceId }) => deviceId}
          empty={<Text tone="soft">{t('no-robots')}</Text>}
          height={320}
        />
      </Row>
      <Problem text={action.problem} />
    </Modal>
  )
}

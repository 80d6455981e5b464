/** The parts in a robot. Each change is done at once, and stands in the history. */
import { Button, Popconfirm, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Text } from '@/shared/ui/layout'
import { Nothing } from '@/shared/ui/query-view'
import { Problem, Warning } from '@/widgets/form/field'
import { useAction } from '@/widgets/form/use-action'
import type { Column } from '@/widgets/list/columns'
import { ShortList } from '@/widgets/list/short-list'
import type { Listed } from '@/widgets/robot/robot'
import styles from '../dialogs.module.css'

type Part = Answer<'/deviceHard/getDeviceHardByDeviceId'>['list'][number]
type Batch = Answer<'/deviceProductBatch/listFull'>['list'][number]

const named = ({ name, version }: { name: string; version: string }) => [name, version].filter(Boolean).join(' ')

const COLUMNS: readonly Column<Part>[] = [
  { key: 'cate_name', label: 'category', heading: true },
  {
    key: 'part',
    label: 'hardware-part',
    value: named,
    cell: (part) => (
      <>
        <bdi>{named(part)}</bdi>
        {part.batchName && (
          <small>
            <bdi>{part.batchName}</bdi>
          </small>
        )}
      </>
    ),
  },
]

/** Those of the robot's type; that of its rack number first. */
function fitting(batches: readonly Batch[], robot: Listed) {
  const rack = robot.rackNumber.toUpperCase()
  const holds = ({ rackRange }: Batch) => {
    const half = (rackRange.length - 1) / 2
    return rack.length === half && rack >= rackRange.slice(0, half) && rack <= rackRange.slice(half + 1)
  }
  return batches.filter((batch) => batch.typeIds.includes(robot.deviceType) && (!rack || holds(batch)))
}

export function Fitted({ robot }: { robot: Listed }) {
  const { t } = useTranslation('asset')
  const { deviceId } = robot
  const query = useCall('/deviceHard/getDeviceHardByDeviceId', { deviceId })
  const tree = useCall('/deviceHardSupport/listCateGroup', {})
  const batches = useCall('/deviceProductBatch/listFull', {})
  const [part, setPart] = useState<number>()
  const [batch, setBatch] = useState<number>()
  const add = useAction('/deviceHard/addDeviceHard', t('fit-part'))
  const replace = useAction('/deviceHard/updateDeviceHard', t('replace'))
  const byBatch = useAction('/deviceHard/updateDeviceHardByBatchId', t('fit-as-batch'))
  const actions = [add, replace, byBatch]
  const busy = actions.some((action) => action.busy)
  const begin = () => {
    for (const action of actions) action.reset()
  }
  const parts = (tree.data?.list ?? []).map(({ cate_name, children }) => ({
    label: cate_name,
    options: children.map((child) => ({ value: child.id, label: named(child) })),
  }))
  const exchange = (part: Part, hardSupportId: number | null) => {
    begin()
    replace.run({ deviceId, id: part.id, hardSupportId }, () => void query.refetch())
  }
  const late = actions.some((action) => action.late.length > 0)
  return (
    <>
      <ShortList
        texts="asset"
        label={t('fitted-now')}
        columns={COLUMNS}
        query={query}
        idOf={({ id }) => id}
        className={styles.tall}
        empty={<Nothing why={t('no-hardware')} />}
        actions={(part) => (
          <>
            <Select
              aria-label={`${t('replace')}: ${named(part)}`}
              size="small"
              className={styles.part ?? ''}
              value={null}
              disabled={busy}
              placeholder={t('choose-part')}
              options={parts}
              showSearch={{ optionFilterProp: 'label' }}
              notFoundContent={t('empty-list')}
              popupMatchSelectWidth={false}
              onChange={(id: number | null) => exchange(part, id)}
            />
            <Popconfirm
              title={t('take-out-confirm', { name: named(part) })}
              okText={t('take-out')}
              cancelText={t('cancel')}
              onConfirm={() => exchange(part, null)}
            >
              <Button size="small" type="text" danger aria-label={`${t('take-out')}: ${named(part)}`}>
                {t('take-out')}
              </Button>
            </Popconfirm>
          </>
        )}
      />
      {late && (
        <Warning>
          {t('replaced-meanwhile')}
          <Button
            size="small"
            onClick={() => {
              begin()
              void query.refetch()
            }}
          >
            {t('refresh')}
          </Button>
        </Warning>
      )}
      {!late && actions.map((action, place) => <Problem key={String(place)} text={action.problem} />)}
      <div className={styles.fit}>
        <Select
          aria-label={t('choose-part')}
          value={part ?? null}
          placeholder={t('choose-part')}
          options={parts}
          showSearch={{ optionFilterProp: 'label' }}
          notFoundContent={t('empty-list')}
          onChange={(id: number | null) => setPart(id ?? undefined)}
        />
        <Button
          type="primary"
          disabled={part === undefined || busy}
          onClick={() => {
            begin()
            add.run({ deviceId, hardBeansJson: [{ hardSupportId: part ?? 0 }] }, () => setPart(undefined))
          }}
        >
          {t('fit-part')}
        </Button>
        <Select
          aria-label={t('production-batch')}
          value={batch ?? null}
          placeholder={t('production-batch')}
          notFoundContent={t('no-batch-fits')}
          options={fitting(batches.data?.list ?? [], robot).map((batch) => ({
            value: batch.batchId,
            label: `${batch.batchName} · ${batch.rackRange}`,
          }))}
          onChange={(id: number | null) => setBatch(id ?? undefined)}
        />
        <Button
          disabled={batch === undefined || busy}
          onClick={() => {
            begin()
            byBatch.run({ deviceId, batchId: batch ?? 0 }, () => setBatch(undefined))
          }}
        >
          {t('fit-as-batch')}
        </Button>
      </div>
      <Text size="small" tone="soft" above="xs" className={styles.remark}>
        {t('fit-as-batch-how')}
      </Text>
    </>
  )
}

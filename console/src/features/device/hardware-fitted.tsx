/** The parts in a robot. Each change is done at once, and stands in the history. */
import { Button, Popconfirm, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Answer } from '@/shared/rpc/contract'
import { useCall } from '@/shared/rpc/hooks'
import { Nothing, Shown } from '@/shared/ui/shown'
import { Problem, Warning } from '@/widgets/field'
import type { Listed } from '@/widgets/robot'
import { useDeed } from '@/widgets/use-deed'
import styles from './dialogs.module.css'

type Part = Answer<'/deviceHard/getDeviceHardByDeviceId'>['list'][number]
type Batch = Answer<'/deviceProductBatch/listFull'>['list'][number]

const named = ({ name, version }: { name: string; version: string }) => [name, version].filter(Boolean).join(' ')

/** Those of the robot's type; that of its rack number first. */
function fitting(batches: readonly Batch[], robot: Listed) {
  const rack = robot.rackNumber.toUpperCase()
  const holds = ({ rackRange }: Batch) => {
    const half = (rackRange.length - 1) / 2
    return rack.length === half && rack >= rackRange.slice(0, half) && rack <= rackRange.slice(half + 1)
  }
  return batches.filter((one) => one.typeIds.includes(robot.deviceType) && (!rack || holds(one)))
}

export function Fitted({ robot }: { robot: Listed }) {
  const { t } = useTranslation('asset')
  const { deviceId } = robot
  const query = useCall('/deviceHard/getDeviceHardByDeviceId', { deviceId })
  const tree = useCall('/deviceHardSupport/listCateGroup', {})
  const batches = useCall('/deviceProductBatch/listFull', {})
  const [part, setPart] = useState<number>()
  const [batch, setBatch] = useState<number>()
  const add = useDeed('/deviceHard/addDeviceHard', t('fit-part'))
  const replace = useDeed('/deviceHard/updateDeviceHard', t('replace'))
  const byBatch = useDeed('/deviceHard/updateDeviceHardByBatchId', t('fit-as-batch'))
  const deeds = [add, replace, byBatch]
  const busy = deeds.some((deed) => deed.busy)
  const begin = () => {
    for (const deed of deeds) deed.reset()
  }
  const parts = (tree.data?.list ?? []).map(({ cate_name, children }) => ({
    label: cate_name,
    options: children.map((one) => ({ value: one.id, label: named(one) })),
  }))
  const exchange = (one: Part, hardSupportId: number | null) => {
    begin()
    replace.run({ deviceId, id: one.id, hardSupportId }, () => void query.refetch())
  }
  const late = deeds.some((deed) => deed.late.length > 0)
  return (
    <>
      <Shown query={query} isEmpty={({ list }) => list.length === 0} empty={<Nothing why={t('no-hardware')} />}>
        {({ list }) => (
          <table className={styles.types} aria-label={t('fitted-now')}>
            <thead>
              <tr>
                <th>{t('category')}</th>
                <th>{t('hardware-part')}</th>
                <th>{t('replace')}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {list.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    <bdi>{one.cate_name}</bdi>
                  </th>
                  <td>
                    <bdi>{named(one)}</bdi>
                    {one.batchName && (
                      <p className={styles.remark}>
                        <bdi>{one.batchName}</bdi>
                      </p>
                    )}
                  </td>
                  <td>
                    <Select
                      aria-label={`${t('replace')}: ${named(one)}`}
                      size="small"
                      className={styles.part ?? ''}
                      value={null}
                      disabled={busy}
                      placeholder={t('choose-part')}
                      options={parts}
                      showSearch={{ optionFilterProp: 'label' }}
                      notFoundContent={t('empty-list')}
                      popupMatchSelectWidth={false}
                      onChange={(id: number | null) => exchange(one, id)}
                    />
                  </td>
                  <td>
                    <Popconfirm
                      title={t('take-out-confirm', { name: named(one) })}
                      okText={t('take-out')}
                      cancelText={t('back')}
                      onConfirm={() => exchange(one, null)}
                    >
                      <Button size="small" type="text" danger aria-label={`${t('take-out')}: ${named(one)}`}>
                        {t('take-out')}
                      </Button>
                    </Popconfirm>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Shown>
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
      {!late && deeds.map((deed, place) => <Problem key={String(place)} text={deed.problem} />)}
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
          options={fitting(batches.data?.list ?? [], robot).map((one) => ({
            value: one.batchId,
            label: `${one.batchName} · ${one.rackRange}`,
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
      <p className={styles.remark}>{t('fit-as-batch-how')}</p>
    </>
  )
}

/** Task groups of a robot: several tasks one after the other, under one name. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'
import { useRobotList } from '../robot-link'
import { GroupDialog } from './group-dialog'
import { KINDS, orderOf } from './groups'
import type { Owner } from './owner'
import { RobotList } from './robot-list'

const plan = (name: string) => ({ kind: 'group', name }) as const

export function GroupList({ owner, head }: { owner: Owner; head: ReactNode }) {
  const { t } = useTranslation('task')
  const { deviceId, online } = owner
  const plans = useCall('/task/plans', { deviceId })
  const mirror = plans.data?.list.filter((plan) => plan.kind === 'group')
  const read = useRobotList(deviceId, online, 'taskgroup_list', (answer) => answer.list, mirror)
  return (
    <RobotList
      {...{ owner, head, read }}
      words={{ list: t('groups'), none: t('no-groups'), add: t('new-group') }}
      columns={[t('name'), t('kind'), t('tasks'), t('rounds')]}
      cells={(group) => (
        <>
          <th scope="row">{group.name}</th>
          <td>{t(KINDS[group.type] ?? KINDS[0])}</td>
          <td>{orderOf(group.tasks)}</td>
          <td>{group.count}</td>
        </>
      )}
      form={(group, close) => <GroupDialog {...{ owner, group }} onClose={close} />}
      startable={({ name, tasks }) => ({ name, maps: tasks.map((unit) => unit.map_name) })}
      top={({ name }) => [{ command: 'taskgroup_set_top', payload: { name } }, plan(name)]}
      renamed={({ name }, new_name) => [{ command: 'taskgroup_rename', payload: { name, new_name } }, plan(new_name)]}
      deleted={({ name }) => [
        { command: 'taskgroup_del', payload: { name } },
        { ...plan(name), deleted: true },
      ]}
    />
  )
}

/** Task groups of a robot: several tasks one after the other, under one name. */
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { useCall } from '@/shared/rpc/hooks'
import type { Column } from '@/widgets/list/columns'
import { useRobotList } from '../robot-link'
import { GroupDialog } from './group-dialog'
import { type Group, KINDS, orderOf } from './groups'
import type { Owner } from './owner'
import { RobotList } from './robot-list'

const plan = (name: string) => ({ kind: 'group', name }) as const

const COLUMNS: readonly Column<Group>[] = [
  { key: 'name', label: 'name', heading: true },
  { key: 'kind', label: 'kind', value: ({ type }, { t }) => t(KINDS[type] ?? KINDS[0]) },
  { key: 'tasks', label: 'tasks', value: ({ tasks }) => orderOf(tasks) },
  { key: 'count', label: 'rounds' },
]

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
      name="taskGroup"
      columns={COLUMNS}
      saves="taskgroup_add"
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

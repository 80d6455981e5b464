/** Task groups of a robot: several tasks one after the other, under one name. */
import { IconArrowBarToUp, IconCursorText, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '@/shared/rpc/hooks'
import { useMay } from '@/shared/rpc/session'
import { Loading, Nothing } from '@/shared/ui/shown'
import { Table } from '@/shared/ui/table'
import { AddButton } from '@/widgets/add-button'
import { DeleteDialog } from '@/widgets/delete-dialog'
import { LineDeed } from '@/widgets/line-deed'
import { Mirrored } from '../mirrored'
import { useRobotList, useSaid, useTell } from '../robot-link'
import { GroupDialog } from './group-dialog'
import { type Group, KINDS } from './groups'
import type { Owner } from './owner'
import { RenameDialog } from './rename-dialog'
import styles from './robot.module.css'
import { StartDialog } from './start-dialog'

type Asked = { deed: 'start' | 'rename' | 'delete' | 'edit'; group: Group } | { deed: 'new' }

export function GroupList({ owner, head }: { owner: Owner; head: ReactNode }) {
  const { t } = useTranslation('task')
  const { deviceId, online } = owner
  const mayEdit = useMay('device/taskList')
  const mayStart = useMay('device_control/index')
  const plans = useCall('/task/plans', { deviceId })
  const mirror = plans.data?.list.filter((one) => one.kind === 'group')
  const read = useRobotList<Group>(deviceId, online, 'taskgroup_list', 'list', mirror)
  const { tell, busy, refused, forget } = useTell(deviceId)
  const [asked, ask] = useState<Asked>()
  const live = read.from === 'robot'
  const close = () => {
    forget()
    ask(undefined)
  }
  useSaid(asked ? undefined : refused)
  if (!read.rows)
    return (
      <>
        {head}
        {read.error ? <Nothing role="alert" why={t('not-readable')} /> : <Loading />}
      </>
    )
  const plan = (name: string) => ({ kind: 'group', name }) as const
  const remove = async ({ name }: Group) => {
    const order = { command: 'taskgroup_del', payload: { name }, label: t('delete-named', { name }) } as const
    if (await tell(order, { ...plan(name), gone: true })) close()
  }
  const rename = async ({ name }: Group, new_name: string) => {
    const label = t('rename-named', { name })
    if (await tell({ command: 'taskgroup_rename', payload: { name, new_name }, label }, plan(new_name))) close()
  }
  const top = ({ name }: Group) =>
    tell({ command: 'taskgroup_set_top', payload: { name }, label: t('top-named', { name }) }, plan(name))
  const deeds = (group: Group) => [
    ...(live && mayStart ? [[IconPlayerPlay, 'start', () => ask({ deed: 'start', group })] as const] : []),
    ...(live && mayEdit
      ? [
          [IconArrowBarToUp, 'set-top', () => void top(group)] as const,
          [IconPencil, 'edit', () => ask({ deed: 'edit', group })] as const,
          [IconCursorText, 'rename', () => ask({ deed: 'rename', group })] as const,
          [IconTrash, 'delete', () => ask({ deed: 'delete', group })] as const,
        ]
      : []),
  ]
  return (
    <>
      <div className={styles.bar}>
        {head}
        {mayEdit && live && <AddButton onClick={() => ask({ deed: 'new' })}>{t('new-group')}</AddButton>}
      </div>
      <Mirrored read={read} />
      {read.rows.length === 0 ? (
        <Nothing why={t('no-groups')} />
      ) : (
        <Table
          label={t('groups')}
          head={['name', 'kind', 'tasks', 'rounds'].map((column) => (
            <th key={column} scope="col">
              {t(column as 'name')}
            </th>
          ))}
        >
          {read.rows.map((group) => (
            <tr key={group.name}>
              <th scope="row">{group.name}</th>
              <td>{t(KINDS[group.type] ?? KINDS[0])}</td>
              <td>{group.tasks.map((unit) => unit.name).join(' → ')}</td>
              <td>{group.count}</td>
              <td data-deeds>
                {deeds(group).map(([icon, what, act]) => (
                  <LineDeed
                    key={what}
                    icon={icon}
                    label={t(what)}
                    name={group.name}
                    danger={what === 'delete'}
                    onClick={act}
                  />
                ))}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {asked?.deed === 'start' && (
        <StartDialog
          owner={owner}
          what={{ name: asked.group.name, maps: asked.group.tasks.map((unit) => unit.map_name) }}
          onClose={close}
        />
      )}
      {(asked?.deed === 'new' || asked?.deed === 'edit') && (
        <GroupDialog owner={owner} group={asked.deed === 'edit' ? asked.group : undefined} onClose={close} />
      )}
      {asked?.deed === 'rename' && (
        <RenameDialog
          name={asked.group.name}
          {...{ busy, problem: refused?.text, forget }}
          onRename={(name) => void rename(asked.group, name)}
          onClose={close}
        />
      )}
      {asked?.deed === 'delete' && (
        <DeleteDialog
          name={asked.group.name}
          deed={{ busy, problem: refused?.text, reset: forget }}
          onDelete={() => void remove(asked.group)}
          onClose={close}
        />
      )}
    </>
  )
}

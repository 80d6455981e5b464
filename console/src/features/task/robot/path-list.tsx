/** Hand-drawn paths of a robot: ways that a task may follow exactly. They stand on the robot alone. */
import type { ReactNode } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import { Loading, Nothing } from '@/shared/ui/query-view'
import type { Column } from '@/widgets/list/columns'
import { useKnown } from '@/widgets/robot/online'
import type { Owner } from './owner'
import { PathDialog } from './path-dialog'
import { RobotList } from './robot-list'
import { type Path, usePaths } from './tasks'

const lengthOf = ({ path }: Path) =>
  path.reduce((sum, [x, y], n) => sum + Math.hypot(x - (path[n - 1]?.[0] ?? x), y - (path[n - 1]?.[1] ?? y)), 0)

const COLUMNS: readonly Column<Path>[] = [
  { key: 'name', label: 'name', heading: true },
  { key: 'map_name', label: 'map' },
  { key: 'length', label: 'length', value: lengthOf, cell: (path, { unit }) => unit(lengthOf(path), 'metre', 1) },
]

export function PathList({ owner, head }: { owner: Owner; head: ReactNode }) {
  const { t } = useTranslation('task')
  const read = usePaths(owner.deviceId, owner.online)
  const known = useKnown(owner.deviceId)
  if (!owner.online)
    return (
      <>
        {head}
        {known ? <Nothing why={t('paths-offline')} /> : <Loading />}
      </>
    )
  return (
    <RobotList
      {...{ owner, head, read }}
      words={{ list: t('paths'), none: t('no-paths'), add: t('new-path') }}
      name="path"
      columns={COLUMNS}
      saves="hppath_save"
      form={(path, close) => <PathDialog {...{ owner, path }} onClose={close} />}
      deleted={({ name, map_name }) => [{ command: 'hppath_delete', payload: { name, map_name } }]}
    />
  )
}

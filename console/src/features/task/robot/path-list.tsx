/** Hand-drawn paths of a robot: ways that a task may follow exactly. */
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '@/shared/i18n/format'
import { useMay } from '@/shared/rpc/session'
import { Loading, Nothing } from '@/shared/ui/shown'
import { Table } from '@/shared/ui/table'
import { AddButton } from '@/widgets/add-button'
import { DeleteDialog } from '@/widgets/delete-dialog'
import { LineDeed } from '@/widgets/line-deed'
import { useTell } from '../robot-link'
import type { Owner } from './owner'
import { PathDialog } from './path-dialog'
import styles from './robot.module.css'
import { type Path, usePaths } from './tasks'

type Asked = { deed: 'edit' | 'delete'; path: Path } | { deed: 'new' }

const lengthOf = ({ path }: Path) =>
  path.reduce((sum, [x, y], n) => sum + Math.hypot(x - (path[n - 1]?.[0] ?? x), y - (path[n - 1]?.[1] ?? y)), 0)

export function PathList({ owner, head }: { owner: Owner; head: ReactNode }) {
  const { t } = useTranslation('task')
  const { unit } = useFormats()
  const { deviceId, online } = owner
  const may = useMay('device/taskList')
  const read = usePaths(deviceId, online)
  const { tell, busy, refused, forget } = useTell(deviceId)
  const [asked, ask] = useState<Asked>()
  const close = () => {
    forget()
    ask(undefined)
  }
  if (!online)
    return (
      <>
        {head}
        <Nothing why={t('paths-offline')} />
      </>
    )
  if (!read.rows)
    return (
      <>
        {head}
        {read.error ? <Nothing role="alert" why={t('not-readable')} /> : <Loading />}
      </>
    )
  const remove = async ({ name, map_name }: Path) => {
    const order = { command: 'hppath_delete', payload: { name, map_name }, label: t('delete-named', { name }) } as const
    if (await tell(order)) close()
  }
  return (
    <>
      <div className={styles.bar}>
        {head}
        {may && <AddButton onClick={() => ask({ deed: 'new' })}>{t('new-path')}</AddButton>}
      </div>
      {read.rows.length === 0 ? (
        <Nothing why={t('no-paths')} />
      ) : (
        <Table
          label={t('paths')}
          head={['name', 'map', 'length'].map((column) => (
            <th key={column} scope="col">
              {t(column as 'name')}
            </th>
          ))}
        >
          {read.rows.map((path) => (
            <tr key={path.name}>
              <th scope="row">{path.name}</th>
              <td>{path.map_name}</td>
              <td>{unit(lengthOf(path), 'metre', 1)}</td>
              <td data-deeds>
                {may && (
                  <>
                    <LineDeed
                      icon={IconPencil}
                      label={t('edit')}
                      name={path.name}
                      onClick={() => ask({ deed: 'edit', path })}
                    />
                    <LineDeed
                      danger
                      icon={IconTrash}
                      label={t('delete')}
                      name={path.name}
                      onClick={() => ask({ deed: 'delete', path })}
                    />
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {(asked?.deed === 'new' || asked?.deed === 'edit') && (
        <PathDialog owner={owner} path={asked.deed === 'edit' ? asked.path : undefined} onClose={close} />
      )}
      {asked?.deed === 'delete' && (
        <DeleteDialog
          name={asked.path.name}
          deed={{ busy, problem: refused?.text, reset: forget }}
          onDelete={() => void remove(asked.path)}
          onClose={close}
        />
      )}
    </>
  )
}

/**
 * What a robot keeps under names, its tasks, groups and paths, as a table; each is started, changed, renamed and deleted
 * from its line. A refusal is said in the dialog that asked, and over the page where none did.
 */
import { type Icon, IconArrowBarToUp, IconCursorText, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '@/shared/relay/life'
import { useMay } from '@/shared/rpc/session'
import { Loading, Nothing } from '@/shared/ui/shown'
import { Table } from '@/shared/ui/table'
import { AddButton } from '@/widgets/add-button'
import { DeleteDialog } from '@/widgets/delete-dialog'
import { LineDeed } from '@/widgets/line-deed'
import { Mirrored } from '../mirrored'
import { type Plan, type Read, useSaid, useTell } from '../robot-link'
import type { Owner } from './owner'
import { RenameDialog } from './rename-dialog'
import styles from './robot.module.css'
import { type Startable, StartDialog } from './start-dialog'

interface Kept {
  readonly name: string
  readonly map_name?: string
}

/** What the robot is told, and the plan that it changes. */
type Told = readonly [order: Omit<Order, 'label'>, plan?: Plan]

interface Props<T extends Kept> {
  owner: Owner
  /** What stands before the button that adds one. */
  head: ReactNode
  read: Read<T>
  words: { readonly list: string; readonly none: string; readonly add: string }
  columns: readonly string[]
  tall?: boolean
  /** The cells of a line. */
  cells(one: T): ReactNode
  /** Changes one, or makes a new one. */
  form(one: T | undefined, close: () => void): ReactNode
  startable?(one: T): Startable
  top?(one: T): Told
  renamed?(one: T, name: string): Told
  deleted(one: T): Told
}

type LineOf = readonly [icon: Icon, word: 'start' | 'set-top' | 'edit' | 'rename' | 'delete', act: () => void]
type Asked<T> = { readonly deed: 'start' | 'rename' | 'delete' | 'edit'; readonly one: T } | { readonly deed: 'new' }

export function KeptList<T extends Kept>(props: Props<T>) {
  const { owner, head, read, words, columns, tall, cells, form, startable, top, renamed, deleted } = props
  const { t } = useTranslation('task')
  const mayEdit = useMay('device/taskList')
  const mayStart = useMay('device_control/index')
  const { tell, busy, refused, forget } = useTell(owner.deviceId)
  const [asked, ask] = useState<Asked<T>>()
  useSaid(asked ? undefined : refused)
  const close = () => {
    forget()
    ask(undefined)
  }
  if (!read.rows)
    return (
      <>
        {head}
        {read.error ? <Nothing role="alert" why={t('not-readable')} /> : <Loading />}
      </>
    )
  const live = read.from === 'robot'
  const say = ([order, plan]: Told, label: string) => tell({ ...order, label }, plan)
  const sayAndClose = async (told: Told, label: string) => {
    if (await say(told, label)) close()
  }
  const deeds = (one: T): readonly LineOf[] => {
    if (!live) return []
    const { name } = one
    return [
      ...(startable && mayStart ? [[IconPlayerPlay, 'start', () => ask({ deed: 'start', one })] as const] : []),
      ...(top && mayEdit
        ? [[IconArrowBarToUp, 'set-top', () => void say(top(one), t('top-named', { name }))] as const]
        : []),
      ...(mayEdit ? [[IconPencil, 'edit', () => ask({ deed: 'edit', one })] as const] : []),
      ...(renamed && mayEdit ? [[IconCursorText, 'rename', () => ask({ deed: 'rename', one })] as const] : []),
      ...(mayEdit ? [[IconTrash, 'delete', () => ask({ deed: 'delete', one })] as const] : []),
    ]
  }
  return (
    <>
      <div className={styles.bar}>
        {head}
        {mayEdit && live && <AddButton onClick={() => ask({ deed: 'new' })}>{words.add}</AddButton>}
      </div>
      <Mirrored read={read} />
      {read.rows.length === 0 ? (
        <Nothing why={words.none} />
      ) : (
        <Table
          label={words.list}
          className={tall ? styles.tall : undefined}
          head={columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        >
          {read.rows.map((one) => (
            <tr key={`${one.map_name ?? ''}/${one.name}`}>
              {cells(one)}
              <td data-deeds>
                {deeds(one).map(([icon, what, act]) => (
                  <LineDeed
                    key={what}
                    icon={icon}
                    label={t(what)}
                    name={one.name}
                    danger={what === 'delete'}
                    onClick={act}
                  />
                ))}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {asked?.deed === 'start' && startable && (
        <StartDialog owner={owner} what={startable(asked.one)} onClose={close} />
      )}
      {(asked?.deed === 'new' || asked?.deed === 'edit') && form(asked.deed === 'edit' ? asked.one : undefined, close)}
      {asked?.deed === 'rename' && renamed && (
        <RenameDialog
          name={asked.one.name}
          {...{ busy, problem: refused?.text, forget }}
          onRename={(name) => void sayAndClose(renamed(asked.one, name), t('rename-named', { name: asked.one.name }))}
          onClose={close}
        />
      )}
      {asked?.deed === 'delete' && (
        <DeleteDialog
          name={asked.one.name}
          deed={{ busy, problem: refused?.text, reset: forget }}
          onDelete={() => void sayAndClose(deleted(asked.one), t('delete-named', { name: asked.one.name }))}
          onClose={close}
        />
      )}
    </>
  )
}

/**
 * What a robot keeps under names, its tasks, groups and paths, as a list; each is started, changed, renamed and deleted
 * from its line. A refusal is said in the dialog that asked, and over the page where none did.
 */
import { type Icon, IconArrowBarToUp, IconCursorText, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '@/shared/i18n/text'
import type { Command } from '@/shared/relay/contract'
import type { Step as Unnamed } from '@/shared/relay/life'
import { useMay } from '@/shared/session/session'
import { Loading, Nothing } from '@/shared/ui/query-view'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { AddButton } from '@/widgets/list/add-button'
import type { Column } from '@/widgets/list/columns'
import { LineAction } from '@/widgets/list/line-action'
import { ListView } from '@/widgets/list/list-view'
import { has } from '@/widgets/robot/robot'
import { Mirrored } from '../mirrored'
import { type Plan, type Read, useRefusalNotice, useTell } from '../robot-link'
import type { Owner } from './owner'
import { RenameDialog } from './rename-dialog'
import styles from './robot.module.css'
import { type Startable, StartDialog } from './start-dialog'

const TALL_PX = 74 // of a row with a picture

interface Named {
  readonly name: string
  readonly map_name?: string
}

/** What the robot is sent, and the plan that it changes. */
type Step = readonly [order: Unnamed, plan?: Plan]

interface Props<T extends Named> {
  owner: Owner
  /** What stands before the button that adds one. */
  head: ReactNode
  read: Read<T>
  /** Under which its columns and views are kept. */
  name: string
  words: { readonly list: string; readonly none: string; readonly add: string }
  columns: readonly Column<T>[]
  tall?: boolean
  /** What changes one, and makes a new one. */
  saves: Command
  /** Changes one, or makes a new one. */
  form(row: T | undefined, close: () => void): ReactNode
  startable?(row: T): Startable
  top?(row: T): Step
  renamed?(row: T, name: string): Step
  deleted(row: T): Step
}

type LineOf = readonly [icon: Icon, word: 'start' | 'set-top' | 'edit' | 'rename' | 'delete', act: () => void]
type Request<T> = { readonly kind: 'start' | 'rename' | 'delete' | 'edit'; readonly row: T } | { readonly kind: 'new' }

export function RobotList<T extends Named>(props: Props<T>) {
  const { owner, head, read, name, words, columns, tall, saves, form, startable, top, renamed, deleted } = props
  const { t } = useTranslation('task')
  const may = useMay('device/taskList')
  const mayEdit = may && has(owner, saves)
  const mayStart = useMay('device_control/index') && has(owner, 'task_start')
  const mayDo = ([{ command }]: Step) => may && has(owner, command)
  const { tell, busy, refused, forget } = useTell(owner.deviceId)
  const [request, ask] = useState<Request<T>>()
  useRefusalNotice(request ? undefined : refused)
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
  const say = ([order, plan]: Step, label: string) => tell({ ...order, label }, plan)
  const sayAndClose = async (step: Step, label: string) => {
    if (await say(step, label)) close()
  }
  const actions = (row: T): readonly LineOf[] => {
    if (!live) return []
    const { name } = row
    return [
      ...(startable && mayStart ? [[IconPlayerPlay, 'start', () => ask({ kind: 'start', row })] as const] : []),
      ...(top && mayDo(top(row))
        ? [[IconArrowBarToUp, 'set-top', () => void say(top(row), t('top-named', { name }))] as const]
        : []),
      ...(mayEdit ? [[IconPencil, 'edit', () => ask({ kind: 'edit', row })] as const] : []),
      ...(renamed && mayDo(renamed(row, name))
        ? [[IconCursorText, 'rename', () => ask({ kind: 'rename', row })] as const]
        : []),
      ...(mayDo(deleted(row)) ? [[IconTrash, 'delete', () => ask({ kind: 'delete', row })] as const] : []),
    ]
  }
  return (
    <>
      <Mirrored read={read} />
      <ListView
        {...{ name, columns }}
        texts="task"
        label={words.list}
        query={{ ...read, data: { list: read.rows } }}
        idOf={(row) => `${row.map_name ?? ''}/${row.name}`}
        {...(tall && { className: styles.tall, height: TALL_PX })}
        empty={<Nothing why={words.none} />}
        search={head}
        tools={mayEdit && live && <AddButton onClick={() => ask({ kind: 'new' })}>{words.add}</AddButton>}
        actions={(row) =>
          actions(row).map(([icon, word, act]) => (
            <LineAction
              key={word}
              icon={icon}
              label={t(word)}
              name={row.name}
              danger={word === 'delete'}
              onClick={act}
            />
          ))
        }
      />
      {request?.kind === 'start' && startable && (
        <StartDialog owner={owner} startable={startable(request.row)} onClose={close} />
      )}
      {(request?.kind === 'new' || request?.kind === 'edit') &&
        form(request.kind === 'edit' ? request.row : undefined, close)}
      {request?.kind === 'rename' && renamed && (
        <RenameDialog
          name={request.row.name}
          {...{ busy, problem: refused?.text, forget }}
          onRename={(name) =>
            void sayAndClose(renamed(request.row, name), t('rename-named', { name: request.row.name }))
          }
          onClose={close}
        />
      )}
      {request?.kind === 'delete' && (
        <DeleteDialog
          name={request.row.name}
          action={{ busy, problem: refused?.text, reset: forget }}
          onDelete={() => void sayAndClose(deleted(request.row), t('delete-named', { name: request.row.name }))}
          onClose={close}
        />
      )}
    </>
  )
}

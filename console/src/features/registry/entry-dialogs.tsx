/** What is done with one entry of a list: it is added, edited or deleted, each in its dialog. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallPath } from '@/shared/rpc/contract'
import { DeleteDialog } from '@/widgets/delete-dialog'
import { useDeed } from '@/widgets/use-deed'
import { type Entry, EntryDialog, type Row } from './entry-dialog'
import type { Values } from './rules'

/** The calls of a list, and what its entries are known by. */
export interface Kind<R> {
  insert: CallPath
  update: CallPath
  remove: CallPath
  /** The id's name in payloads. */
  id: string
  idOf(row: R): number
  nameOf(row: R): string
}

export type Asked<R> = 'new' | { edit: R } | { remove: R }

interface Props<R> {
  kind: Kind<R>
  asked: Asked<R> | undefined
  /** Of the dialog that adds one. */
  title: string
  entries: readonly Entry[]
  start: Values
  query: { data: { list: readonly R[] } | undefined; refetch(): Promise<unknown> }
  /** What goes with an entry that is deleted, or stays; the server wants to know that it was said. */
  goes?(row: R): ReactNode
  onClose(): void
}

export function EntryDialogs<R extends Row>({ asked, ...props }: Props<R>) {
  if (!asked) return null
  if (asked === 'new') return <Editing {...props} row={undefined} />
  if ('remove' in asked) return <Deletion {...props} row={asked.remove} />
  const { idOf } = props.kind
  const row = props.query.data?.list.find((one) => idOf(one) === idOf(asked.edit))
  return row && <Editing {...props} row={row} />
}

type Of<R, Which> = Omit<Props<R>, 'asked'> & { row: Which }

function Editing<R extends Row>({ kind, title, entries, start, query, row, onClose }: Of<R, R | undefined>) {
  const { t } = useTranslation('registry')
  const fields = entries.map(({ name }) => name)
  const insert = useDeed(kind.insert, t('add'), fields)
  const update = useDeed(kind.update, t('save'), fields)
  // The entries are the call's own fields: their types are checked where the rows are read.
  const send = (values: Values, updateTime: string | undefined) =>
    row
      ? update.run({ ...values, [kind.id]: kind.idOf(row), ...(updateTime && { updateTime }) } as never, onClose)
      : insert.run(values as never, onClose)
  return (
    <EntryDialog
      title={row ? t('edit-named', { name: kind.nameOf(row) }) : title}
      entries={entries}
      row={row}
      start={start}
      deed={row ? update : insert}
      onSend={send}
      onRefresh={query.refetch}
      onClose={onClose}
    />
  )
}

function Deletion<R>({ kind, goes, row, onClose }: Of<R, R>) {
  const { t } = useTranslation('registry')
  const deed = useDeed(kind.remove, t('delete'))
  const said = goes?.(row)
  return (
    <DeleteDialog
      name={kind.nameOf(row)}
      deed={deed}
      onDelete={() => deed.run({ [kind.id]: kind.idOf(row), ...(said && { confirm: true }) } as never, onClose)}
      onClose={onClose}
    >
      {said}
    </DeleteDialog>
  )
}

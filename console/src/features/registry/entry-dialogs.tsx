/** What is done with one entry of a list: it is added, edited or deleted, each in its dialog. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallPath } from '@/shared/rpc/contract'
import { DeleteDialog } from '@/widgets/form/delete-dialog'
import { useAction } from '@/widgets/form/use-action'
import { EntryDialog, type RegistryField, type Row } from './entry-dialog'
import type { RegistryValues } from './rules'

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

export type EntryRequest<R> = 'new' | { edit: R } | { remove: R }

interface Props<R> {
  kind: Kind<R>
  request: EntryRequest<R> | undefined
  /** Of the dialog that adds one. */
  title: string
  entries: readonly RegistryField[]
  start: RegistryValues
  query: { data: { list: readonly R[] } | undefined; refetch(): Promise<unknown> }
  /** What goes with an entry that is deleted, or stays; the server wants to know that it was said. */
  goes?(row: R): ReactNode
  onClose(): void
}

export function EntryDialogs<R extends Row>({ request, ...props }: Props<R>) {
  if (!request) return null
  if (request === 'new') return <Editing {...props} row={undefined} />
  if ('remove' in request) return <Deletion {...props} row={request.remove} />
  const { idOf } = props.kind
  const row = props.query.data?.list.find((entry) => idOf(entry) === idOf(request.edit))
  return row && <Editing {...props} row={row} />
}

type Of<R, Which> = Omit<Props<R>, 'request'> & { row: Which }

function Editing<R extends Row>({ kind, title, entries, start, query, row, onClose }: Of<R, R | undefined>) {
  const { t } = useTranslation('registry')
  const fields = entries.map(({ name }) => name)
  const insert = useAction(kind.insert, t('add'), fields)
  const update = useAction(kind.update, t('save'), fields)
  // The entries are the call's own fields: their types are checked where the rows are read.
  const send = (values: RegistryValues, updateTime: string | undefined) =>
    row
      ? update.run({ ...values, [kind.id]: kind.idOf(row), ...(updateTime && { updateTime }) } as never, onClose)
      : insert.run(values as never, onClose)
  return (
    <EntryDialog
      title={row ? t('edit-named', { name: kind.nameOf(row) }) : title}
      entries={entries}
      row={row}
      start={start}
      action={row ? update : insert}
      onSend={send}
      onRefresh={query.refetch}
      onClose={onClose}
    />
  )
}

function Deletion<R>({ kind, goes, row, onClose }: Of<R, R>) {
  const { t } = useTranslation('registry')
  const action = useAction(kind.remove, t('delete'))
  const warning = goes?.(row)
  return (
    <DeleteDialog
      name={kind.nameOf(row)}
      action={action}
      onDelete={() => action.run({ [kind.id]: kind.idOf(row), ...(warning && { confirm: true }) } as never, onClose)}
      onClose={onClose}
    >
      {warning}
    </DeleteDialog>
  )
}
